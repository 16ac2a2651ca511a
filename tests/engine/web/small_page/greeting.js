/** Text of the page. */
export const greeting = "Hello";
