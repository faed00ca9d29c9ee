package org.terrace.dashboard.pages;

import java.util.function.Consumer;
import org.terrace.report.page.Markup;

/** The frame of every page: its head, its banner and the way to the other pages. Stateless. */
final class PageFrame {
  private PageFrame() {}

  /**
   * A page.
   *
   * @param title its title, which the banner shows too; empty on the first page
   * @param main writes what stands in it
   */
  static String page(String title, Consumer<Markup> main) {
    return page(title, "", main);
  }

  /** A page whose main part has a class of its own. */
  static String page(String title, String style, Consumer<Markup> main) {
    Markup page = new Markup();
    page.open("html", "lang", "en").open("head").empty("meta", "charset", "utf-8");
    page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    page.empty("meta", "name", "color-scheme", "content", "light dark");
    page.leaf("title", title.isEmpty() ? "Terrace results" : title + " – Terrace");
    page.empty("link", "rel", "icon", "href", "/assets/icon.svg", "type", "image/svg+xml");
    page.empty("link", "rel", "stylesheet", "href", "/assets/report.css");
    page.empty("link", "rel", "stylesheet", "href", "/assets/dashboard.css");
    page.open("script", "src", "/assets/theme.js").close();
    page.open("script", "src", "/assets/dashboard.js", "defer", "").close();
    page.close().open("body");
    page.leaf("a", "To the content", "href", "#main", "class", "skip");
    banner(title, page);
    page.open("main", "id", "main", "class", style);
    main.accept(page);
    page.close().close().close();
    return "<!DOCTYPE html>\n" + page + "\n";
  }

  private static void banner(String title, Markup page) {
    page.open("header", "class", "banner").open("a", "href", "/", "class", "home");
    page.open("svg", "viewBox", "0 0 24 24", "class", "logo", "aria-hidden", "true");
    page.empty("path", "d", "M2 20V15H9V10H16V5H22V20Z", "class", "steps").close();
    page.leaf("b", "Terrace").close();
    if (!title.isEmpty()) {
      page.leaf("span", title, "class", "title");
    }
    page.open("nav", "aria-label", "Pages");
    page.leaf("a", "Results", "href", "/").leaf("a", "Compare", "href", "/compare");
    page.close();
    page.leaf(
        "button",
        "◐",
        "type",
        "button",
        "id",
        "theme",
        "hidden",
        "",
        "aria-label",
        "Change between light and dark",
        "title",
        "Light or dark");
    page.close();
  }

  /** A row of key figures as the report has them. */
  static void figures(Markup page, Consumer<Markup> each) {
    page.open("dl", "class", "figures");
    each.accept(page);
    page.close();
  }

  static void figure(Markup page, String name, String value, String detail) {
    page.open("div").leaf("dt", name).leaf("dd", value);
    page.leaf("dd", detail, "class", "detail").close();
  }
}
