/** What these items cost together, in whole cents. */
export const total = (items) => items.reduce((sum, { cents, count }) => sum + cents * count, 0);
