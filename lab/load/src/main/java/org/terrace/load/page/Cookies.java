package org.terrace.load.page;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The cookies of one session with one site. Path and domain are not looked at: a session talks to
 * one site alone. Cookies last for the session whatever their date says, but for one of 1970, by
 * which services remove them. Confined to one thread.
 */
public final class Cookies {
  /** Cookies beyond this many are not kept. */
  static final int LIMIT = 16;

  private static final Pattern REMOVAL =
      Pattern.compile(";\\s*max-age\\s*=\\s*(0|-\\d+)\\s*(;|$)", Pattern.CASE_INSENSITIVE);

  private static final Pattern MAX_AGE =
      Pattern.compile(";\\s*max-age\\s*=", Pattern.CASE_INSENSITIVE);

  /** A date of the first year that computers count, which stands for a removal; all others last. */
  private static final Pattern LONG_AGO =
      Pattern.compile(";\\s*expires\\s*=[^;]*[- ](19)?70[ ;]", Pattern.CASE_INSENSITIVE);

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
    boolean removed =
        semicolon >= 0
            && (MAX_AGE.matcher(header).find(semicolon) ? REMOVAL : LONG_AGO)
                .matcher(header)
                .find(semicolon);
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
