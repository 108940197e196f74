#include "reports/bundle.h"

// Names that `ld --format=binary` makes of report.js and report.css.
extern "C" {
extern const char _binary_report_js_start[], _binary_report_js_end[];
extern const char _binary_report_css_start[], _binary_report_css_end[];
}

namespace w4 {

std::string_view report_script() { return {_binary_report_js_start, _binary_report_js_end}; }
std::string_view report_style() { return {_binary_report_css_start, _binary_report_css_end}; }

}  // namespace w4
