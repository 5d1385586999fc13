/** The text of a CommonJS module as an expression for its exports, which runs where there are no modules. */
export const exportsOf = (text: string): string =>
  `((module) => { ((module, exports) => {\n${text}\n})(module, module.exports); return module.exports; })({ exports: {} })`;
