/** The first line of what is generated. */
export const header = '// Made from openapi.json by `npm run -w sdk types`: change it there.\n';
