// node build.mjs OUT: bundles src/ into OUT/report.js and OUT/report.css, which the binary holds.
import { build } from "esbuild";

const out = process.argv[2];
if (!out) {
  console.error("build.mjs: OUT is missing; legal: a folder");
  process.exit(2);
}
await build({
  entryPoints: { report: "src/main.tsx" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  jsx: "automatic",
  jsxImportSource: "preact",
  alias: { react: "preact/compat", "react-dom": "preact/compat" },
  legalComments: "none",
  logLevel: "warning",
});
