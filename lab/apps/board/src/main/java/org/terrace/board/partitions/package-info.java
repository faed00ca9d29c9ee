/** The tables of SQL nodes before partitioned data nodes, and the watch over those. */
@org.jspecify.annotations.NullMarked
package org.terrace.board.partitions;
