package org.terrace.board;

import java.sql.SQLException;
import org.terrace.board.partitions.DataNodeWatch;
import org.terrace.board.partitions.NdbLikeDatabase;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;

/**
 * The program that watches over the data nodes of an NDB-like database until it is ended. It prints
 * {@code ready} when it knows them, and a line for each that it finds to be lost.
 */
public final class DataNodeController {
  private static final String USAGE = "--database-url URL --database-user USER";

  /** Between two looks at each node. */
  private static final long PAUSE_MILLIS = 500;

  private DataNodeController() {}

  /** Watches; see {@link #USAGE}. */
  public static void main(String[] arguments) throws InterruptedException {
    try {
      Flags flags = Flags.of(arguments);
      String url = flags.text("--database-url");
      String user = flags.text("--database-user", "board");
      flags.end();
      try (DataNodeWatch watch = new DataNodeWatch(NdbLikeDatabase.of(url, user))) {
        System.out.println("ready");
        watch.keepLooking(PAUSE_MILLIS, System.out::println);
      } catch (SQLException e) {
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS,
            "Cannot watch the data nodes of %s: %s; its SQL nodes have to run."
                .formatted(url, e.getMessage()),
            e);
      }
    } catch (TerraceException e) {
      System.err.println("board: " + e.getMessage());
      System.err.println("Usage: DataNodeController " + USAGE);
      System.exit(e.code().exitCode());
    }
  }
}
