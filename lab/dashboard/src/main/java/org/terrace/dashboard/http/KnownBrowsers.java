package org.terrace.dashboard.http;

import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.terrace.core.TimeSource;

/**
 * The browsers that have shown the token: each was given a secret of its own, which is kept for a
 * week, or until {@value #MOST} others were used after it. A secret that was never used goes before
 * those that were: a probe that shows the token and keeps no cookie signs out nobody. Guesses are
 * limited: {@value #MOST_GUESSES} a minute from one address (of IPv6, one network of 64 bits), so
 * that who guesses shuts out nobody elsewhere; of {@value #MOST_ADDRESSES} addresses they are
 * counted. Thread-safe.
 */
final class KnownBrowsers {
  static final int MOST = 256;
  static final int MOST_GUESSES = 10;
  static final int MOST_ADDRESSES = 1_024;

  /** The time for which a browser stays signed in. */
  static final Duration LASTS = Duration.ofDays(7);

  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int SECRET_BYTES = 32;
  private static final int NETWORK_BYTES = 8;

  private final AccessToken token;
  private final TimeSource time;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Long> unused = new LinkedHashMap<>();
  private final Map<String, Long> used = new LinkedHashMap<>(MOST, 1, true);
  private final Map<String, Deque<Long>> wrongs = new LinkedHashMap<>();

  KnownBrowsers(AccessToken token, TimeSource time) {
    this.token = token;
    this.time = time;
  }

  /** The outcome of showing a token. */
  sealed interface Shown {
    /** It is the token. */
    record Right(String secret) implements Shown {}

    /** It is another. */
    record Wrong() implements Shown {}

    /** There were too many wrong ones: nothing was compared. */
    record TooMany() implements Shown {}
  }

  /** Takes a token that somebody shows from an address. */
  synchronized Shown show(String guess, InetAddress from) {
    long now = time.elapsedNanos();
    wrongs.values().removeIf(each -> now - each.getLast() > WINDOW.toNanos());
    Deque<Long> wrong = wrongs.getOrDefault(network(from), new ArrayDeque<>());
    while (!wrong.isEmpty() && now - wrong.getFirst() > WINDOW.toNanos()) {
      wrong.removeFirst();
    }
    if (wrong.size() >= MOST_GUESSES) {
      return new Shown.TooMany();
    }
    if (!token.matches(guess)) {
      wrong.addLast(now);
      wrongs.putIfAbsent(network(from), wrong);
      if (wrongs.size() > MOST_ADDRESSES) {
        wrongs.remove(wrongs.keySet().iterator().next());
      }
      return new Shown.Wrong();
    }
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    put(unused, secret, now);
    return new Shown.Right(secret);
  }

  private static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    return HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, NETWORK_BYTES));
  }

  /** Whether a secret is one that was given to a browser, and is not too old. */
  synchronized boolean knows(Optional<String> secret) {
    Long first = secret.map(unused::remove).orElse(null);
    if (first != null) {
      put(used, secret.orElseThrow(), first);
    }
    Long given = secret.map(used::get).orElse(null);
    return given != null && time.elapsedNanos() - given <= LASTS.toNanos();
  }

  private static void put(Map<String, Long> secrets, String secret, long givenNanos) {
    secrets.put(secret, givenNanos);
    if (secrets.size() > MOST) {
      secrets.remove(secrets.keySet().iterator().next());
    }
  }
}
