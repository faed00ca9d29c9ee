package org.terrace.load.page;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The cookies of one session with one site. Path and domain are not looked at: a session talks to
 * one site alone. Confined to one thread.
 */
public final class Cookies {
  /** Cookies beyond this many are not kept. */
  static final int LIMIT = 16;

  private static final Pattern REMOVAL =
      Pattern.compile(";\\s*max-age\\s*=\\s*(0|-\\d+)\\s*(;|$)", Pattern.CASE_INSENSITIVE);

  private final List<String> pairs = new ArrayList<>(1);

  /** Takes the value of a {@code Set-Cookie} header. */
  void set(String header) {
    int semicolon = header.indexOf(';');
    String pair = (semicolon < 0 ? header : header.substring(0, semicolon)).strip();
    int equals = pair.indexOf('=');
    if (equals < 1) {
      return;
    }
    String name = pair.substring(0, equals + 1);
    pairs.removeIf(known -> known.startsWith(name));
    boolean removed = semicolon >= 0 && REMOVAL.matcher(header).find(semicolon);
    if (!removed && pairs.size() < LIMIT) {
      pairs.add(pair);
    }
  }

  public void clear() {
    pairs.clear();
  }

  /** The value of the {@code Cookie} header; empty when there are none. */
  public String header() {
    return pairs.size() == 1 ? pairs.getFirst() : String.join("; ", pairs);
  }
}
