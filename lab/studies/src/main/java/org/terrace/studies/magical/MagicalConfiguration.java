package org.terrace.studies.magical;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A configuration of those that each application is measured in. Immutable.
 *
 * @param clients how many call at once
 * @param think how long each waits after a reply
 * @param replyBytes the size of replies; 0 for the application's own
 */
record MagicalConfiguration(int clients, Duration think, int replyBytes) {

  /**
   * The first so many of all combinations, in an order whose beginnings are balanced: with four
   * numbers of clients, three think times and four sizes the first twelve hold each pair of clients
   * and think time once and each size three times, in Latin squares; and so on.
   */
  static List<MagicalConfiguration> balanced(
      List<Integer> clients, List<Duration> thinks, List<Integer> replies, int count) {
    List<MagicalConfiguration> all = new ArrayList<>();
    for (int shift = 0; shift < replies.size(); shift++) {
      for (int t = 0; t < thinks.size(); t++) {
        for (int c = 0; c < clients.size(); c++) {
          int reply = (c + t + shift) % replies.size();
          all.add(new MagicalConfiguration(clients.get(c), thinks.get(t), replies.get(reply)));
        }
      }
    }
    return List.copyOf(all.subList(0, Math.min(count, all.size())));
  }

  /** Its name in files. */
  String file() {
    return "c" + clients + "-t" + think.toMillis() + "ms-r" + reply();
  }

  /** The size of replies as the clients' program takes it. */
  String reply() {
    return replyBytes == 0 ? "original" : Integer.toString(replyBytes);
  }

  /** Its name for people. */
  String label() {
    return "%d client%s, %d ms, %s"
        .formatted(
            clients,
            clients == 1 ? "" : "s",
            think.toMillis(),
            replyBytes == 0 ? "original" : replyBytes + " bytes");
  }
}
