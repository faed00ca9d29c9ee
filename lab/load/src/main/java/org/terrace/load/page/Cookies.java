package org.terrace.load.page;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cookies of one session with one site. Path and domain are not looked at: a session talks to
 * one site alone. Cookies last for the session whatever their date says, but for one before 2000,
 * by which services remove them. Confined to one thread.
 */
public final class Cookies {
  /** Cookies beyond this many are not kept. */
  static final int LIMIT = 16;

  /** An age of a cookie; whatever is no number is no age (RFC 6265, section 5.2.2). */
  private static final Pattern MAX_AGE =
      Pattern.compile(";\\s*max-age\\s*=\\s*(-?\\d+)\\s*(?=;|$)", Pattern.CASE_INSENSITIVE);

  private static final Pattern NO_AGE = Pattern.compile("-\\d+|0+");

  /** A date of a year before 2000, the year written with four digits or two. */
  private static final Pattern LONG_AGO =
      Pattern.compile(
          ";\\s*expires\\s*=[^;]*(?:(?<! )-| )(1\\d{3}|[7-9]\\d)(?=[ ;]|$)",
          Pattern.CASE_INSENSITIVE);

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
    boolean removed = semicolon >= 0 && isRemoval(header, semicolon);
    if (!removed && pairs.size() < LIMIT) {
      pairs.add(pair);
    }
  }

  /**
   * Whether attributes end a cookie: by the last age among them, and if there is none by a date.
   */
  private static boolean isRemoval(String header, int attributes) {
    Matcher ages = MAX_AGE.matcher(header);
    String last = null;
    for (boolean found = ages.find(attributes); found; found = ages.find()) {
      last = ages.group(1);
    }
    return last == null
        ? LONG_AGO.matcher(header).find(attributes)
        : NO_AGE.matcher(last).matches();
  }

  public void clear() {
    pairs.clear();
  }

  /** The value of the {@code Cookie} header; empty when there are none. */
  public String header() {
    return pairs.size() == 1 ? pairs.getFirst() : String.join("; ", pairs);
  }
}
