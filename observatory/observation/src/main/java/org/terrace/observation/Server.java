package org.terrace.observation;

import java.util.List;

/**
 * A server that was observed, or the emulated users as one. Immutable.
 *
 * @param name its name, unique in the observation, for example {@code app1}
 * @param tier its tier: {@code web}, {@code app}, {@code middleware}, {@code database}, or {@value
 *     #CLIENTS}; {@code tier1}, {@code tier2} and so on when it was inferred and no better name
 *     fits
 * @param addresses the addresses it serves at, as {@code host:port}; may be empty
 */
public record Server(String name, String tier, List<String> addresses) {
  /** The name and tier of the emulated users, seen from their own side. */
  public static final String CLIENTS = "clients";

  /** Copies the addresses. */
  public Server {
    addresses = List.copyOf(addresses);
  }
}
