/** The 24 pages of the board: HTML in which everything that is not a literal is escaped. */
@org.jspecify.annotations.NullMarked
package org.terrace.board.page;
