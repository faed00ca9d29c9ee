/** A made-up board of any size: RUBBoS's rules, one seed, always the same rows. */
@org.jspecify.annotations.NullMarked
package org.terrace.board.data;
