#include "reports/page.h"

#include <fmt/format.h>

#include "results/text.h"

namespace w4 {
namespace {

// System fonts and two palettes of the same names. Red and green are never the only sign: each
// state is also written out.
constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --ink: #1a1c1f; --soft: #5b616a; --line: #d9dce1; --page: #ffffff;
  --panel: #f5f6f8; --good: #1a7f37; --bad: #b3261e; --warn: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --soft: #9aa2ad; --line: #343a42;
  --page: #15181c; --panel: #1d2126; --good: #56c271; --bad: #ff8a80; --warn: #e2b04a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 2rem 1.25rem 4rem; background: var(--page);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; text-wrap: balance; }
h2 { font-size: 1.1rem; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0 0 .5rem; }
p { margin: .5rem 0; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.soft { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { font-weight: 600; color: var(--soft); }
td.n, th.n { text-align: right; }
code, pre { font: .875rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; white-space: pre-wrap; }
article { background: var(--panel); border-left: 4px solid var(--bad); padding: .9rem 1rem;
  margin: 0 0 1rem; }
article dl, .facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem;
  margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.rerun { display: flex; gap: .75rem; align-items: start; margin-top: .6rem; }
.rerun code { flex: 1; }
button { font: inherit; font-size: .875rem; padding: .2rem .7rem; border: 1px solid var(--line);
  border-radius: 4px; background: var(--page); color: var(--ink); cursor: pointer; }
button:focus-visible { outline: 2px solid var(--soft); outline-offset: 2px; }
summary { cursor: pointer; color: var(--soft); }
@media print { body { max-width: none; padding: 0; font-size: 11pt; } button { display: none; }
  article { break-inside: avoid; } details > * { display: block; } }
)css";

// Works from a file as well: clipboard where the browser allows it, otherwise the line is selected.
constexpr std::string_view kScript = R"js(
document.addEventListener('click', function (event) {
  var button = event.target.closest('button');
  if (!button) return;
  var code = button.previousElementSibling;
  var done = function () { button.textContent = 'Copied'; };
  var select = function () {
    getSelection().selectAllChildren(code);
    button.textContent = document.execCommand('copy') ? 'Copied' : 'Selected';
  };
  if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, select);
  else select();
});
)js";

}  // namespace

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}\n<script>{}</script>\n</body>\n"
      "</html>\n",
      markup_escape(title), kStyle, body, kScript);
}

}  // namespace w4
