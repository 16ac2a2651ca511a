// How the page's modules read: what eslint recommends, and the few habits that the page holds to.
import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "consistent-return": "error",
      curly: "error",
      eqeqeq: "error",
      "max-lines-per-function": ["error", 45],
      "no-console": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-restricted-globals": ["error", "localStorage", "sessionStorage", "fetch", "XMLHttpRequest", "WebSocket", "alert", "confirm", "prompt"],
      "no-restricted-properties": ["error", { property: "outerHTML" }, { object: "document", property: "write" }],
      "no-shadow": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  // The one module that speaks to a server; the policy of a task file lets it reach none.
  { files: ["**/line.js"], rules: { "no-restricted-globals": ["error", "localStorage", "sessionStorage", "XMLHttpRequest", "WebSocket"] } },
  // What one tab stores: a note while the page closes, and the participant.
  {
    files: ["**/stash.js", "**/storage.js"],
    rules: { "no-restricted-globals": ["error", "localStorage", "fetch", "XMLHttpRequest", "WebSocket", "alert", "confirm", "prompt"] },
  },
];
