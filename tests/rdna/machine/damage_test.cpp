// Objects with one field of their descriptor, metadata or relocations changed: each is refused for
// that reason.
#include <algorithm>

#include "rdna/code_object.h"
#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

using testing::HasSubstr;

class Damage : public testing::Test {
 protected:
  std::vector<std::byte> bytes_ = file_bytes(W4_RELOCATED);
  std::shared_ptr<const CodeObject> good_ = *CodeObject::load(bytes_);
  const CodeObject::Impl& impl_ = good_->impl();

  // Where these bytes are in the file.
  size_t place(std::span<const std::byte> what) const {
    const auto it = std::ranges::search(bytes_, what);
    EXPECT_NE(it.begin(), bytes_.end());
    return static_cast<size_t>(it.begin() - bytes_.begin());
  }
  template <class T>
  size_t place_of(const std::vector<T>& values) const {
    return place(std::as_bytes(std::span(values)));
  }
  // Of compute_pgm_rsrc1 in the first kernel's descriptor.
  size_t descriptor() const {
    return place_of<uint32_t>({impl_.descriptors[0].rsrc1, impl_.descriptors[0].rsrc2});
  }
  std::string refusal(const std::vector<std::byte>& bytes) const {
    auto r = CodeObject::load(bytes);
    return r ? "" : r.error().text;
  }
};

TEST_F(Damage, DescriptorOfWave64) {
  auto b = bytes_;
  b[descriptor() + 9] ^= std::byte{4};  // ENABLE_WAVEFRONT_SIZE32, bit 10
  EXPECT_THAT(refusal(b), HasSubstr("wave64"));
}

TEST_F(Damage, EntryOutsideTheCodeOrBetweenInstructions) {
  const size_t entry = descriptor() - 48 + 16;  // kernel_code_entry_byte_offset
  auto b = bytes_;
  b[entry] ^= std::byte{2};
  EXPECT_THAT(refusal(b), HasSubstr("entry"));
  b = bytes_;
  b[entry + 3] ^= std::byte{0x20};
  EXPECT_THAT(refusal(b), HasSubstr("entry"));
}

TEST_F(Damage, ArgumentsThatReachOutside) {
  const KernelInfo& k = good_->kernels()[0];
  uint32_t end = 0;
  for (const ArgInfo& a : k.args) end = std::max(end, a.offset + a.size);
  ASSERT_GT(end, 1u);
  const std::string key = ".kernarg_segment_size";
  const size_t at = place(std::as_bytes(std::span(key))) + key.size();
  auto with = [&](uint32_t size) {
    auto b = bytes_;
    if (b[at] == std::byte{0xcd}) {
      b[at + 1] = static_cast<std::byte>(size >> 8);
      b[at + 2] = static_cast<std::byte>(size);
    } else {
      b[at + (b[at] == std::byte{0xcc} ? 1 : 0)] = static_cast<std::byte>(size);
    }
    return b;
  };
  EXPECT_EQ(refusal(with(end)), "");
  EXPECT_THAT(refusal(with(end - 1)), HasSubstr("lies outside its"));
  EXPECT_THAT(refusal(with(0)), HasSubstr("lies outside its"));
}

TEST_F(Damage, RelocationsOfSymbolsThatAreNotThere) {
  ASSERT_FALSE(impl_.relocations.empty());
  constexpr uint64_t kRelative = 13, kAbsolute = 3;  // R_AMDGPU_RELATIVE64, R_AMDGPU_ABS64
  const size_t at = place_of<uint64_t>({impl_.relocations[0].at, kRelative}) + 8;
  const auto with = [&](uint64_t info) {
    auto b = bytes_;
    std::memcpy(&b[at], &info, 8);
    return b;
  };
  EXPECT_THAT(refusal(with(99)), HasSubstr("relocation type 99"));
  // The message says how many there are: the last is there, the one after it is not.
  const std::string far = refusal(with(uint64_t{1000000} << 32 | kAbsolute));
  EXPECT_THAT(far, HasSubstr("names symbol 1000000 of "));
  const auto count = static_cast<uint64_t>(std::stoul(far.substr(far.rfind(' ') + 1)));
  EXPECT_THAT(refusal(with(count << 32 | kAbsolute)), HasSubstr("names symbol"));
  EXPECT_EQ(refusal(with((count - 1) << 32 | kAbsolute)).find("names symbol"), std::string::npos);
}

}  // namespace
}  // namespace w4::rdna
