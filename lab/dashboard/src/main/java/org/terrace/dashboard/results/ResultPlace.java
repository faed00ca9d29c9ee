package org.terrace.dashboard.results;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The place of a result below the directory that is served. Immutable.
 *
 * @param segments the names of the directories that lead to it; empty for the directory itself
 * @param directory the result directory
 */
public record ResultPlace(List<String> segments, Path directory) {
  /** The end of a directory's name until the result in it is whole. */
  public static final String UNFINISHED = ".unfinished";

  /** Copies the segments. */
  public ResultPlace {
    segments = List.copyOf(segments);
  }

  /** The place as people read it: {@code before/1}, or the directory's own name. */
  public String name() {
    String name =
        segments.isEmpty() ? String.valueOf(directory.getFileName()) : String.join("/", segments);
    return isUnfinished() ? name.substring(0, name.length() - UNFINISHED.length()) : name;
  }

  /** Whether it is the directory in which a command works until its result is whole. */
  public boolean isUnfinished() {
    return directory.toString().endsWith(UNFINISHED);
  }

  /** The segments for an address, each after a slash: {@code /before/1}; empty for none. */
  public String path() {
    return path(segments);
  }

  /** Segments for an address, each after a slash and escaped. */
  public static String path(List<String> segments) {
    return segments.stream().map(each -> "/" + escaped(each)).collect(Collectors.joining());
  }

  /** A text as a part of an address, every character beyond letters and digits escaped. */
  public static String escaped(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
