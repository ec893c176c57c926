// The usual theme without the fonts that it brings: a reader's own are as good, and the site stays small.
export { default } from "vitepress/theme-without-fonts";
