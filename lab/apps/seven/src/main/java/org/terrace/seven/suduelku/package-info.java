/** Su-Duel-Ku: up to five players solve one sudoku against each other. */
@org.jspecify.annotations.NullMarked
package org.terrace.seven.suduelku;
