package org.terrace.dashboard.pages;

/** Pages that say one thing: an error, or that the token is wanted. Stateless. */
public final class MessagePages {
  private MessagePages() {}

  /** A page that tells of an error, and where to go from there. */
  public static String error(int status, String message) {
    return PageFrame.page(
        status == 404 ? "Not found" : "Error",
        page -> {
          page.open("section", "id", "verdict");
          page.leaf("h1", status == 404 ? "There is no such result" : "That cannot be shown");
          page.leaf("p", message, "class", "deck");
          page.open("p", "class", "actions")
              .leaf("a", "All results", "href", "/", "class", "button");
          page.close().close();
        });
  }

  /** A page that asks for the token. */
  public static String signIn(String message) {
    return PageFrame.page(
        "Sign in",
        page -> {
          page.open("section", "id", "verdict").leaf("h1", "Sign in");
          page.leaf(
              "p",
              "This dashboard was started with --token: type what its file holds.",
              "class",
              "deck");
          if (!message.isEmpty()) {
            page.leaf("p", message, "class", "bad", "role", "alert");
          }
          page.open("form", "method", "post", "action", "/session", "class", "sign-in");
          page.leaf("label", "Token", "for", "token");
          page.empty(
              "input",
              "id",
              "token",
              "name",
              "token",
              "type",
              "password",
              "autocomplete",
              "current-password",
              "required",
              "",
              "autofocus",
              "");
          page.leaf("button", "Sign in", "type", "submit", "class", "main-button");
          page.close().close();
        });
  }
}
