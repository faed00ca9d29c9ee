package org.terrace.board;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.terrace.testing.HeadlessChromium;

/** A real browser in a person's hands: clicks, typed text, and what the page then shows. */
final class BoardBrowser implements AutoCloseable {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 1_200;

  private final HeadlessChromium chromium;

  private BoardBrowser(HeadlessChromium chromium) {
    this.chromium = chromium;
  }

  static BoardBrowser start() throws IOException {
    return new BoardBrowser(HeadlessChromium.start(WIDTH, HEIGHT));
  }

  /** Opens an address and waits until it is loaded. */
  void open(String url) {
    chromium.open(URI.create(url));
  }

  /** Clicks in the middle of an element and waits until the page that follows is loaded. */
  void clickThrough(String selector) {
    chromium.openBy(() -> click(selector));
  }

  /** Clicks in the middle of an element. */
  void click(String selector) {
    String place =
        read(
            "(e => { e.scrollIntoView({block: 'center'}); const r = e.getClientRects()[0];"
                + " return [r.x + r.width / 2, r.y + r.height / 2].join(' '); })("
                + element(selector)
                + ")");
    String[] point = place.split(" ", 2);
    chromium.click(Double.parseDouble(point[0]), Double.parseDouble(point[1]));
  }

  /** Clicks into a field and types. */
  void type(String selector, String text) {
    click(selector);
    chromium.call("Input.insertText", Map.of("text", text));
  }

  /** The value of an expression of the page, as a string. */
  String read(String expression) {
    return chromium.evaluate("String(" + expression + ")").asString();
  }

  /** The text of an element. */
  String text(String selector) {
    return read(element(selector) + ".innerText");
  }

  /** The state that the page says it is. */
  String state() {
    return read("document.querySelector('meta[name=page]').content");
  }

  /** Shows pages as on a screen that is narrow and dark. */
  void narrowAndDark() {
    chromium.resize(320, 700);
    chromium.media("prefers-color-scheme", "dark");
  }

  /** Shows pages as at first. */
  void wideAndLight() {
    chromium.resize(WIDTH, HEIGHT);
    chromium.media("prefers-color-scheme", "light");
  }

  /** A picture of the visible part of the page, as PNG. */
  byte[] picture() {
    return chromium.screenshot(false);
  }

  @Override
  public void close() {
    chromium.close();
  }

  private static String element(String selector) {
    return "document.querySelector(\"" + selector.replace("\"", "\\\"") + "\")";
  }
}
