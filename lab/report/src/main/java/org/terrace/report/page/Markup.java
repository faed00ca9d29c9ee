package org.terrace.report.page;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes HTML and SVG. Every text and every attribute passes through one escape, so that nothing
 * that was observed, however hostile, becomes markup. Confined to one thread.
 */
public final class Markup {
  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** An empty text. */
  public Markup() {}

  /** Opens an element; attributes are pairs of name and value. */
  public Markup open(String name, String... attributes) {
    start(name, attributes);
    out.append('>');
    open.push(name);
    return this;
  }

  /** Closes the element that was opened last. */
  public Markup close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** An element without content, as HTML's void elements and SVG's shapes are. */
  public Markup empty(String name, String... attributes) {
    start(name, attributes);
    out.append("/>");
    return this;
  }

  /** An element that holds only text. */
  public Markup leaf(String name, String text, String... attributes) {
    return open(name, attributes).text(text).close();
  }

  /** Text. */
  public Markup text(String text) {
    escape(text, out);
    return this;
  }

  /** Markup that another instance made. */
  public Markup add(Markup other) {
    out.append(other);
    return this;
  }

  /** A style sheet or script of the project's own, whose text HTML takes as it is. */
  public Markup raw(String name, String content, String... attributes) {
    start(name, attributes);
    out.append('>').append(content).append("</").append(name).append('>');
    return this;
  }

  /** The number of characters so far. */
  public int length() {
    return out.length();
  }

  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not closed: " + open);
    }
    return out.toString();
  }

  private void start(String name, String... attributes) {
    out.append('<').append(name);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      escape(attributes[i + 1], out);
      out.append('"');
    }
  }

  private static void escape(String text, StringBuilder to) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> to.append("&amp;");
        case '<' -> to.append("&lt;");
        case '>' -> to.append("&gt;");
        case '"' -> to.append("&quot;");
        case '\'' -> to.append("&#39;");
        case '\t', '\n', '\r' -> to.append(c);
        default -> to.append(c < ' ' || c == '\uFFFE' || c == '\uFFFF' ? '\uFFFD' : c);
      }
    }
  }
}
