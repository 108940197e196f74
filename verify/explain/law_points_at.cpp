#include "verify/explain/law_points_at.h"

namespace w4::explain {

std::string_view law_points_at(Law l) {
  switch (l) {
    case Law::reference:
      break;
    case Law::power_act:
      return "the size of the activations alone changes the sums: a fixed threshold, a clip, or a "
             "number that is not of the declared type on the way";
    case Law::power_scale:
      return "the size of the scales alone changes the sums: scales are converted, clipped or "
             "flushed, or something is added in units of their own";
    case Law::permute_n:
      return "an output depends on which column it is: an index of rows, tiles or tails";
    case Law::row_alone:
      return "a row depends on how many rows there are: the code of this M, or the tile taken for "
             "it";
    case Law::row_isolation:
      return "rows see each other: sums, lanes or LDS of two rows meet, or something is multiplied "
             "by zero instead of left out";
    case Law::zero_shift:
      return "codes and zero points are not simply subtracted: one of them is read, clipped or "
             "rounded by itself";
    case Law::implicit_8:
      return "the path without zero points assumes another value than 8, or differs from that with "
             "them";
    case Law::zero_form:
      return "packed and unpacked zero points are read differently: nibble order, octets, or a "
             "zero point that is stored minus 1";
    case Law::unused_zeros:
      return "zero points are read although the checkpoint is symmetric";
    case Law::split_groups:
      return "the result depends on G where the data do not: group index, or a stride of scales";
    case Law::no_bias:
      return "the path with a bias does more than add it";
    case Law::bias_adds:
      return "the bias is scaled, rounded early, taken from elsewhere, or left out";
    case Law::extend_k:
      return "the result depends on K beyond the data: a route, a tail, or a piece of K that is "
             "not cleared";
    case Law::tail_act:
      return "the end of K is not read";
    case Law::repeat:
      return "the output depends on what memory held before: something is added to, or not written";
    case Law::schedule:
      return "the output depends on the order of waves: a missing barrier, a race, or atomics "
             "whose order rounds";
    case Law::cu_count:
      return "the output depends on the number of compute units: how work is split, or the tile "
             "chosen for it";
    case Law::addresses:
      return "the output depends on where tensors lie: wide loads of what is not aligned, or an "
             "address computed in too few bits";
    case Law::one_hot:
      return "a weight is not what its code, zero point and scale give: look at the rows and "
             "columns named";
    case Law::routes:
      return "decode and prefill disagree: one of them is wrong, or declares less than it rounds";
    case Law::k_shards:
      return "parts of K do not add up to the whole: the first or last group, or an offset into K";
    case Law::experts_dense:
      return "experts are computed otherwise than a dense layer: ids, tables of an expert, or rows "
             "of a block";
  }
  return "";
}

}  // namespace w4::explain
