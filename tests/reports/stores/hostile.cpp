// Text that nobody would choose, as a store can hold it: markup, scripts, quotes, words that
// programs give a meaning to, the directions and controls of Unicode, lines of 100 KB, bytes that
// are not UTF-8. Whatever of it runs sets the global w4Hit or opens a dialog.
#include <vector>

#include "results/documents.h"
#include "results/sqlite.h"
#include "results/store.h"
#include "stores/stores.h"
#include "verify/build_id.h"

namespace w4::testing {
namespace {

std::vector<std::string> hostile() {
  std::string controls;
  for (int c = 0; c < 32; ++c) controls += static_cast<char>(c);
  std::string marks = "marks";
  for (int i = 0; i < 300; ++i) marks += "\xcc\x8e\xcd\x9c";
  return {
      "<script>w4Hit=1</script>",
      "</script><script>alert(w4Hit=2)</script>",
      "<img src=x onerror=alert(w4Hit=3)>",
      "\"><svg onload=w4Hit=4>",
      "javascript:w4Hit=5",
      "' onmouseover='w4Hit=6' autofocus onfocus='w4Hit=6",
      "`${w4Hit=7}` {{w4Hit=7}} {% w4Hit=7 %}",
      "</noscript></title></style><img src=x onerror=w4Hit=8><style>main{display:none}</style>",
      "<!--<script>w4Hit=9</script>",
      "__proto__",
      "constructor",
      "hasOwnProperty",
      "'];w4Hit=10;//",
      "datum[\"x\"] && (w4Hit=11)",
      "$(touch w4Hit); `touch w4Hit` && rm -rf 'x",
      "\xe2\x80\xae gnp.exe \xe2\x81\xa6 \xd7\x90\xd7\x91\xd7\x92 \xd9\x85\xd8\xb1",
      "line\xe2\x80\xa8separator\xe2\x80\xa9paragraph\xef\xbb\xbf\xef\xbf\xbe",
      controls + "\x7f\xc2\x85\xc2\x9b",
      marks,
      "%00%3Cscript%3Ew4Hit=12%3C/script%3E&lt;b&gt;&#60;b&#62;",
      std::string(100'000, 'w'),
      "<b>" + std::string(50'000, '<') + std::string(50'000, '&'),
      "",
  };
}

Verdict verdict_of(const std::string& text) {
  Mismatch wrong{.worst = {.m = 0, .n = 1, .got = 2, .low = 0, .high = 1, .twin = 0.5, .ratio = 9},
                 .count = 1,
                 .total = 64,
                 .pattern = text};
  Finding race;
  race.kind = FindingKind::lds_race;
  race.kernel = race.buffer = race.detail = race.born = text;
  race.at = {0, 1, 2, 3, text, text};
  race.other = race.at;
  race.trace = {text, text};
  Provenance ran;
  ran.build_id = build_id();
  ran.object_hash = ran.fp = ran.evidence = ran.instantiation = ran.resolved = text;
  ran.symbols = {text};
  return make_verdict(text, {Found{{race}}, wrong, LawBroken{text, text, text, 0, 0, text}}, ran);
}

// A line that is a case line, whose values are hostile where they may be.
Verdict parsed(const std::string& line, Outcome outcome) {
  Provenance ran;
  ran.build_id = build_id();
  ran.instantiation = "</script><b>";
  return make_verdict(line, {std::move(outcome)}, ran);
}

}  // namespace

void hostile_store(const std::string& path) {
  int64_t run = 0;
  {
    Store store = must(Store::open(path, Store::Mode::write));
    run = must(store.begin_run(
        {.command = "w4check run '</script><script>alert(w4Hit=20)</script>' \xff\xfe\xc3",
         .build_id = build_id(),
         .planned = 64}));
    for (const std::string& text : hostile()) {
      must(store.add(run, {text, text, text, verdict_of(text)}));
      must(store.add(run, {text, text, text, parsed(text, Crash{11, text, text})}));
      must(store.add(run, {text, text, text, parsed(text, Skipped{SkipReason::no_device, text})}));
    }
    const std::string module = "module='/tmp/<img src=x onerror=w4Hit=21>.so'";
    must(store.add(run, {"s", "decode", "gfx1151", parsed("decode m=2 " + module, Pass{})}));
    must(store.add(run, {"s", "decode", "gfx1151",
                         parsed("decode m=3 " + module, Mismatch{{}, 1, 64, "<i>rows"})}));
    must(store.end_run(run, RunState::complete));
    file_hostile_documents(store, hostile());
    for (const char* kind : {"zoo", "diff", "bench", "figures", "code", "coverage", "depiction"}) {
      for (const char* json :
           {R"({"__proto__": {"w4Hit": 22}, "constructor": "</script><script>w4Hit=22</script>"})",
            R"(["<img src=x onerror=w4Hit=23>", null, 1e308, {"toString": null}])", "null"}) {
        const std::string name = fmt::format("{}</script><script>w4Hit=24</script>", json[0]);
        must(file_document(store, {kind, name, build_id(), "", json}));
      }
    }
  }
  // Past the store's own care: bytes as another program may have written them.
  Database db = must(Database::open(path, SQLITE_OPEN_READWRITE));
  must(db.execute(
      "UPDATE verdict SET kernel=CAST(x'fffe3c623ec3' AS TEXT), device=CAST(x'00ff1b5b' AS TEXT), "
      "suite=CAST(x'c3283c' AS TEXT) WHERE id % 11 = 3;"
      "UPDATE failure SET kernel=CAST(x'fffe3c623ec3' AS TEXT), "
      "pattern=CAST(x'61ff3c2f7363726970743e' AS TEXT), "
      "hypothesis=CAST(x'ff3c623e' AS TEXT), smallest_line=CAST(x'6465636f646520ff3c' AS TEXT) "
      "WHERE id % 5 = 2;"
      "UPDATE run SET command=CAST(x'ff3c2f7363726970743e' AS TEXT) || command, "
      "uid=CAST(x'fe3c' AS TEXT) || uid;"));
}

}  // namespace w4::testing
