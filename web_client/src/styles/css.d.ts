// Style sheets that Vite takes into the page.
declare module "*.css";
