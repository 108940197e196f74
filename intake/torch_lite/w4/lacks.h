// Members of torch's Tensor that torch_lite does not have: arithmetic is what the kernels under
// test are for. Included inside class at::Tensor.
#define W4_TORCH_LACKS(NAME)                                               \
  template <class... A>                                                    \
  Tensor NAME(A&&...) const {                                              \
    static_assert(sizeof...(A) == size_t(-1),                              \
                  "torch_lite has no Tensor::" #NAME                       \
                  ": it does no arithmetic, conversion or "                \
                  "copy between devices outside the kernels of the file"); \
    return {};                                                             \
  }
W4_TORCH_LACKS(add)
W4_TORCH_LACKS(add_)
W4_TORCH_LACKS(bmm)
W4_TORCH_LACKS(cpu)
W4_TORCH_LACKS(cuda)
W4_TORCH_LACKS(div)
W4_TORCH_LACKS(index_select)
W4_TORCH_LACKS(matmul)
W4_TORCH_LACKS(max)
W4_TORCH_LACKS(min)
W4_TORCH_LACKS(mm)
W4_TORCH_LACKS(mul)
W4_TORCH_LACKS(mul_)
W4_TORCH_LACKS(resize_)
W4_TORCH_LACKS(sub)
W4_TORCH_LACKS(sum)
W4_TORCH_LACKS(to)
W4_TORCH_LACKS(toType)
#undef W4_TORCH_LACKS
