package org.terrace.report.page;

/**
 * The mark of a kind of event: a symbol, a word and a colour, so that no reader depends on the
 * colour alone.
 *
 * @param symbol one character
 * @param style the name of its colour in the style sheet
 */
public record Glyph(String symbol, String style) {
  private static final String FAULT = "fault-";

  public static Glyph of(String kind) {
    return switch (kind) {
      case "fault-kill" -> new Glyph("✕", "fault");
      case "fault-pause" -> new Glyph("‖", "fault");
      case "fault-gc-pressure" -> new Glyph("▲", "fault");
      case "gc-pause" -> new Glyph("◆", "collection");
      case "safepoint" -> new Glyph("◇", "collection");
      case "cpu-throttled" -> new Glyph("▤", "throttled");
      default -> new Glyph(kind.startsWith(FAULT) ? "!" : "●", "event");
    };
  }

  /** A kind of event as words: {@code fault-gc-pressure} as {@code GC pressure}. */
  public static String words(String kind) {
    String plain = kind.startsWith(FAULT) ? kind.substring(FAULT.length()) : kind;
    return plain.replace('-', ' ').replaceAll("\\bgc\\b", "GC").replaceAll("\\bcpu\\b", "CPU");
  }
}
