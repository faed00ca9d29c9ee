package org.terrace.cluster.server.copy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A copy in a process of its own: {@code CopyProgram ENGINE DONOR-URL TARGET-URL}. */
final class CopyProgram {
  private CopyProgram() {}

  /** Copies, and says how many rows there were. */
  public static void main(String[] args) throws SQLException {
    ServerCopy copy = args[0].equals("postgresql") ? ServerCopy.postgres() : ServerCopy.mariaDb();
    try (Connection donor = DriverManager.getConnection(args[1], TwoServers.DATABASE, "");
        Connection target = DriverManager.getConnection(args[2], TwoServers.DATABASE, "")) {
      copy.beginSnapshot(donor);
      System.out.println("rows " + copy.copy(donor, target, false));
    }
  }
}
