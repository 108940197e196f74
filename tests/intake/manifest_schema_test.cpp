// docs/manifest.schema.json says what the reader reads: the same keys and words in both, and the
// same verdict over manifests, right and wrong. The validator here knows the words of JSON Schema
// that the file uses, and no others.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "core/gpu.h"
#include "intake/declarations.h"
#include "intake/manifest_args.h"
#include "intake/manifest_keys.h"
#include "intake/manifest_rules.h"
#include "tests/intake/decode_manifest.h"
#include "tests/intake/triton_manifest.h"

namespace w4::test {
namespace {

using nlohmann::json;
using testing::UnorderedElementsAreArray;

const json& schema() {
  static const json s = json::parse(std::ifstream(W4_SCHEMA));
  return s;
}
const json& definition(std::string_view name) { return schema()["$defs"][std::string(name)]; }

std::set<std::string> keys_of(const json& o) {
  std::set<std::string> out;
  for (const auto& [key, value] : o.items()) out.insert(key);
  return out;
}

TEST(ManifestSchema, HasTheKeysThatTheReaderKnowsAndNoOthers) {
  std::set<std::string> definitions{"extents", "expression"};
  for (const auto& o : manifest_keys::kObjects) {
    const json& d = definition(o.definition);
    EXPECT_EQ(keys_of(d["properties"]), std::set<std::string>(o.keys.begin(), o.keys.end()))
        << o.definition;
    EXPECT_EQ(d["additionalProperties"], false) << o.definition;
    definitions.emplace(o.definition);
  }
  EXPECT_EQ(keys_of(schema()["$defs"]), definitions);
}

std::vector<std::string> texts(const json& list) {
  std::vector<std::string> out;
  for (const json& v : list) {
    if (v.is_string()) out.push_back(v);
  }
  return out;
}

TEST(ManifestSchema, HasTheWordsThatTheReaderKnowsAndNoOthers) {
  std::vector<std::string_view> archs;
  for (const GpuModel& g : gpu_models()) archs.push_back(g.arch);
  EXPECT_THAT(texts(definition("manifest")["properties"]["objects"]["propertyNames"]["enum"]),
              UnorderedElementsAreArray(archs));
  const json& argument = definition("argument");
  std::vector<std::string_view> roles;
  for (size_t i = 0; i < kRoles; ++i) {
    const Role role = static_cast<Role>(i);
    roles.push_back(name_of(role));
    bool found = false;
    for (const json& rule : argument["allOf"]) {
      if (rule["if"]["properties"]["tensor"]["const"] != name_of(role)) continue;
      EXPECT_THAT(texts(rule["then"]["properties"]["layout"]["enum"]),
                  UnorderedElementsAreArray(layout_names(role)));
      found = true;
    }
    EXPECT_TRUE(found) << name_of(role);
  }
  EXPECT_THAT(texts(argument["properties"]["tensor"]["enum"]), UnorderedElementsAreArray(roles));
  const auto expect_rules = [](const char* key, const auto& rules) {
    std::vector<std::string_view> all;
    for (const auto& r : rules) all.push_back(r.name);
    EXPECT_THAT(texts(definition("numerics")["properties"][key]["enum"]),
                UnorderedElementsAreArray(all));
  };
  expect_rules("weight", weight_rules());
  expect_rules("chain", chain_rules());
  expect_rules("store", store_rules());
  std::vector<std::string> kernels;
  for (const w4_kernel* k : kernels_with_numerics()) kernels.emplace_back(k->name);
  EXPECT_THAT(texts(definition("numerics")["properties"]["of"]["enum"]),
              UnorderedElementsAreArray(kernels));
}

bool is_type(const json& v, const std::string& type) {
  if (type == "object") return v.is_object();
  if (type == "array") return v.is_array();
  if (type == "string") return v.is_string();
  if (type == "integer") return v.is_number_integer();
  if (type == "boolean") return v.is_boolean();
  ADD_FAILURE() << "a type the validator does not know: " << type;
  return false;
}

bool valid(const json& v, const json& s);

template <class Range>
long count(const json& v, const Range& rules) {
  return std::count_if(rules.begin(), rules.end(), [&](const json& r) { return valid(v, r); });
}

bool valid_properties(const json& v, const json& s) {
  for (const auto& [key, value] : v.items()) {
    if (s.contains("propertyNames") && !valid(key, s["propertyNames"])) return false;
    if (s.contains("properties") && s["properties"].contains(key)) {
      if (!valid(value, s["properties"][key])) return false;
    } else if (s.contains("additionalProperties")) {
      const json& more = s["additionalProperties"];
      if (more.is_boolean() ? !more.get<bool>() : !valid(value, more)) return false;
    }
  }
  if (s.contains("maxProperties") && v.size() > s["maxProperties"]) return false;
  if (s.contains("minProperties") && v.size() < s["minProperties"]) return false;
  for (const json& key : s.value("required", json::array())) {
    if (!v.contains(key.get<std::string>())) return false;
  }
  for (const auto& [key, needs] : s.value("dependentRequired", json::object()).items()) {
    for (const json& need : needs) {
      if (v.contains(key) && !v.contains(need.get<std::string>())) return false;
    }
  }
  return true;
}

bool valid(const json& v, const json& s) {
  constexpr std::string_view kKnown =
      " $schema $id $ref $defs title description type enum const properties "
      "additionalProperties propertyNames minProperties maxProperties required dependentRequired "
      "items minItems maxItems "
      "minLength maxLength pattern anyOf oneOf allOf if then else ";
  for (const auto& [word, value] : s.items()) {
    EXPECT_NE(kKnown.find(" " + word + " "), kKnown.npos) << "the validator does not know " << word;
  }
  if (s.contains("$ref")) {
    const std::string to = s["$ref"];
    if (!valid(v, definition(to.substr(to.rfind('/') + 1)))) return false;
  }
  if (s.contains("type")) {
    const json& t = s["type"];
    const json types = t.is_array() ? t : json::array({t});
    if (std::none_of(types.begin(), types.end(), [&](const json& x) { return is_type(v, x); }))
      return false;
  }
  if (s.contains("const") && v != s["const"]) return false;
  if (s.contains("enum") && std::find(s["enum"].begin(), s["enum"].end(), v) == s["enum"].end())
    return false;
  if (v.is_object() && !valid_properties(v, s)) return false;
  if (v.is_array()) {
    if (s.contains("minItems") && v.size() < s["minItems"]) return false;
    if (s.contains("maxItems") && v.size() > s["maxItems"]) return false;
    if (s.contains("items")) {
      for (const json& item : v) {
        if (!valid(item, s["items"])) return false;
      }
    }
  }
  if (v.is_string()) {
    const std::string text = v;
    if (s.contains("minLength") && text.size() < s["minLength"]) return false;
    if (s.contains("maxLength") && text.size() > s["maxLength"]) return false;
    if (s.contains("pattern") &&
        !std::regex_match(text, std::regex(s["pattern"].get<std::string>())))
      return false;
  }
  if (s.contains("anyOf") && count(v, s["anyOf"]) == 0) return false;
  if (s.contains("oneOf") && count(v, s["oneOf"]) != 1) return false;
  if (s.contains("allOf") && count(v, s["allOf"]) != static_cast<long>(s["allOf"].size()))
    return false;
  if (!s.contains("if")) return true;
  const char* branch = valid(v, s["if"]) ? "then" : "else";
  return !s.contains(branch) || valid(v, s[branch]);
}

TEST(ManifestSchema, TakesWhatTheReaderTakes) {
  const std::string op = R"({"w4_manifest": 1, "kernels": [{"name": "skinny", "op": "ns::skinny",
    "args": [{"tensor": "act", "layout": "dense"},
             {"tensor": "wei", "layout": "shuffled", "dtype": "i32", "strided": true},
             {"tensor": "scale", "layout": "dense"},
             {"tensor": "zp", "layout": "unpacked", "optional": true}, {"int": "4*G"}, {"float": "0.5"},
             {"bool": true}, {"text": "none"}, {"none": "sinks"}],
    "clauses": ["m.range"], "assumes": ["k.step"], "numerics": {"of": "chunked"}}]})";
  for (const std::string& text : {triton_manifest(), decode_manifest(), op}) {
    EXPECT_TRUE(valid(json::parse(text), schema()));
    EXPECT_TRUE(parse_manifest(text, "a.json"));
  }
}

struct Change {
  const char *from, *to;
};
// Wrong in their form; names of clauses and laws and the insides of expressions are the reader's.
const Change kChanges[] = {
    {"\"w4_manifest\": 1", "\"w4_manifest\": 2"},
    {"\"w4_manifest\": 1,", ""},
    {"\"objects\": {\"gfx1151\": \"decode.co\"},", ""},
    {"\"symbol\": [", "\"op\": \"x\", \"symbol\": ["},
    {"\"gfx1151\":", "\"gfx900\":"},
    {"\"decode.co\"", "17"},
    {"\"decode.co\"", "\"\""},
    {"{\"gfx1151\": \"decode.co\"}", "{}"},
    {"\"kernels\":", "\"kernel\":"},
    {"\"w4_decode\"", "\"W4\""},
    {"\"name\": \"w4_decode\",", ""},
    {"\"pattern\":", "\"patern\":"},
    {"{\"pattern\":", "{\"symbol\": \"x\", \"pattern\":"},
    {"\"text\": \"small\"", "\"texts\": \"small\""},
    {"{\"text\": \"medium\"}", "{}"},
    {"\"tensor\": \"act\"", "\"tensor\": \"a\""},
    {"\"layout\": \"shuffled\"", "\"layout\": \"packed\""},
    {"[\"packed\", \"unpacked\"]", "[\"packed\"]"},
    {"\"optional\": true", "\"optional\": 1"},
    {", \"layout\": \"shuffled\"", ""},
    {"{\"u32\": \"K\"}", "{\"u16\": \"K\"}"},
    {"{\"u32\": \"K\"}", "{\"u32\": \"K\", \"i64\": 1}"},
    {"{\"u32\": \"K\"}", "{\"u32\": \"K\", \"zeroed\": true}"},
    {"{\"u32\": \"K\"}", "{\"u32\": null}"},
    {"{\"u32\": \"K\"}", "{}"},
    {"\"block\": [32, 16, 1]", "\"block\": [32, 16]"},
    {"\"block\": [32, 16, 1]", "\"block\": 512"},
    {"\"clauses\": [", "\"clauses\": [1, "},
    {"{\"of\": \"decode\"}", "{\"of\": \"decoder\"}"},
    {"{\"of\": \"decode\"}", "{\"of\": \"decode\", \"store\": \"round_once\"}"},
    {"{\"of\": \"decode\"}", "{\"weight\": \"product_exact\"}"},
};

TEST(ManifestSchema, RefusesWhatTheReaderRefuses) {
  const std::string bare = R"({"w4_manifest": 1, "kernels": [{"name": "a", "op": "b", "args": [],
    "numerics": {"of": "decode"}, "grid": [1, 1, 1]}]})";
  EXPECT_FALSE(valid(json::parse(bare), schema()));
  EXPECT_FALSE(parse_manifest(bare, "a.json"));
  for (const Change& c : kChanges) {
    const std::string text = changed(decode_manifest(), c.from, c.to);
    EXPECT_FALSE(valid(json::parse(text), schema())) << c.to;
    EXPECT_FALSE(parse_manifest(text, "a.json")) << c.to;
  }
}

}  // namespace
}  // namespace w4::test
