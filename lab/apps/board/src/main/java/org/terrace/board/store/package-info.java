/** The board's tables and every SQL statement on them. */
@org.jspecify.annotations.NullMarked
package org.terrace.board.store;
