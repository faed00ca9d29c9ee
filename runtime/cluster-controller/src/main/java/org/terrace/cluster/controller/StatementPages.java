package org.terrace.cluster.controller;

import java.sql.SQLException;
import java.util.function.LongConsumer;
import org.terrace.core.codec.Decoder;

/**
 * The further pages of a statement's result: while one is fetched, its statement can be cancelled.
 *
 * @param all the pages of all results of the session
 * @param number the number of the statement
 * @param underWay what is told the number of the statement that is under way; 0: none is
 */
record StatementPages(ControllerRows.Pages all, long number, LongConsumer underWay)
    implements ControllerRows.Pages {
  @Override
  public Decoder next(long result, boolean lasts) throws SQLException {
    underWay.accept(number);
    try {
      return all.next(result, lasts);
    } finally {
      underWay.accept(0);
    }
  }

  @Override
  public void close(long result, boolean lasts) throws SQLException {
    all.close(result, lasts);
  }
}
