/** What it says. */
export const greeting = "Hello";
