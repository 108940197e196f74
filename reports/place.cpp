#include "reports/place.h"

#include <fmt/format.h>

namespace w4 {
namespace {

using nlohmann::json;

const json kNothing;

constexpr size_t kRoom = 2000;  // bytes

}  // namespace

void Place::refuse(std::string_view legal) const {
  if (!wrong_->empty()) return;
  // Never the whole value: it may be as deep and long as somebody liked.
  std::string is = value_->type_name();
  if (value_->is_number()) is = value_->dump();
  if (value_->is_string()) is = fmt::format("'{}'", value_->get<std::string>().substr(0, 60));
  *wrong_ = fmt::format("{} is {}; legal: {}", path_.empty() ? "it" : path_, is, legal);
}

Place Place::at(std::string_view member) const {
  const std::string path =
      path_.empty() ? std::string(member) : fmt::format("{}.{}", path_, member);
  if (!value_->is_object()) {
    refuse("an object");
    return {kNothing, *wrong_, path};
  }
  const auto found = value_->find(member);
  if (found != value_->end()) return {*found, *wrong_, path};
  if (wrong_->empty()) *wrong_ = path + " is missing";
  return {kNothing, *wrong_, path};
}

std::string Place::text() const {
  std::string all = whole_text();
  if (all.size() <= kRoom) return all;
  size_t end = kRoom;
  // Not inside a character.
  while (end > 0 && (static_cast<unsigned char>(all[end]) & 0xC0) == 0x80) --end;
  return fmt::format("{}… ({} bytes)", all.substr(0, end), all.size());
}

std::string Place::whole_text() const {
  if (value_->is_string()) return value_->get<std::string>();
  refuse("a text");
  return "";
}

double Place::number() const {
  if (value_->is_number()) return value_->get<double>();
  refuse("a number");
  return 0;
}

int64_t Place::count() const {
  if (value_->is_number_unsigned() && value_->get<uint64_t>() <= INT64_MAX)
    return value_->get<int64_t>();
  if (value_->is_number_integer() && value_->get<int64_t>() >= 0) return value_->get<int64_t>();
  refuse("a whole number from 0");
  return 0;
}

bool Place::truth() const {
  if (value_->is_boolean()) return value_->get<bool>();
  refuse("true or false");
  return false;
}

std::vector<Place> Place::list() const {
  std::vector<Place> out;
  if (!value_->is_array()) {
    refuse("a list");
    return out;
  }
  for (size_t i = 0; i < value_->size(); ++i)
    out.push_back({(*value_)[i], *wrong_, fmt::format("{}[{}]", path_, i)});
  return out;
}

std::vector<std::string> Place::texts() const {
  std::vector<std::string> out;
  for (const Place& p : list()) out.push_back(p.text());
  return out;
}

std::vector<std::string> Place::whole_texts() const {
  std::vector<std::string> out;
  for (const Place& p : list()) out.push_back(p.whole_text());
  return out;
}

bool Place::has(std::string_view member) const {
  return value_->is_object() && value_->contains(member);
}

}  // namespace w4
