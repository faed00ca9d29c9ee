package org.terrace.experiment;

import java.util.ArrayList;
import java.util.List;

/**
 * The number of servers of each tier, written {@code web/app/middleware/database} as in the Elba
 * project, for example {@code 1/2/0/1}. Immutable.
 *
 * <p>Source: Malkowski and others, "A New Perspective on Experimental Analysis of N-tier Systems",
 * section 3.3.
 *
 * @param web web servers, 0 to {@value #MAXIMUM_SERVERS_OF_A_TIER}; with none, users go to the
 *     application servers directly
 * @param app application servers, 1 to {@value #MAXIMUM_SERVERS_OF_A_TIER}
 * @param middleware clustering middleware servers, 0 to {@value #MAXIMUM_SERVERS_OF_A_TIER}
 * @param database database servers, 0 to {@value #MAXIMUM_SERVERS_OF_A_TIER}; the board needs one
 */
public record Topology(int web, int app, int middleware, int database) {
  /** The most servers one tier may have: each takes one loopback address of its network. */
  public static final int MAXIMUM_SERVERS_OF_A_TIER = 99;

  /** Checks the ranges. */
  public Topology {
    checkRange("web", web, 0);
    checkRange("app", app, 1);
    checkRange("middleware", middleware, 0);
    checkRange("database", database, 0);
  }

  private static void checkRange(String tier, int count, int least) {
    if (count < least || count > MAXIMUM_SERVERS_OF_A_TIER) {
      throw new IllegalArgumentException(tier + " servers: " + count);
    }
  }

  /** The number of servers of a tier. */
  public int count(Tier tier) {
    return switch (tier) {
      case WEB -> web;
      case APP -> app;
      case MIDDLEWARE -> middleware;
      case DATABASE -> database;
    };
  }

  /** The names of all servers, from the web to the database: {@code web1, app1, app2, ...}. */
  public List<String> serverNames() {
    List<String> names = new ArrayList<>();
    for (Tier tier : Tier.values()) {
      for (int number = 1; number <= count(tier); number++) {
        names.add(tier.serverName(number));
      }
    }
    return List.copyOf(names);
  }

  @Override
  public String toString() {
    return web + "/" + app + "/" + middleware + "/" + database;
  }
}
