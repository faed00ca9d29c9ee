package org.terrace.board;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Somebody who visits a board over HTTP, keeps cookies, follows links and fills in forms. */
final class Visitor implements AutoCloseable {
  private final String site;
  private final CookieManager cookies = new CookieManager();
  private final HttpClient client = HttpClient.newBuilder().cookieHandler(cookies).build();

  Visitor(String site) {
    this.site = site;
  }

  /** An answer: the raw one, and how a browser would understand it. */
  record Page(HttpResponse<String> response, Document document) {
    int status() {
      return response.statusCode();
    }

    String html() {
      return response.body();
    }

    String state() {
      return document.select("meta[name=page]").attr("content");
    }

    Element one(String selector) {
      Element found = document.selectFirst(selector);
      if (found == null) {
        throw new AssertionError("no " + selector + " on the page:\n" + html());
      }
      return found;
    }
  }

  CookieManager cookies() {
    return cookies;
  }

  Page get(String path) {
    return send(HttpRequest.newBuilder(URI.create(site + path)).build());
  }

  Page post(String path, Map<String, String> fields) {
    return send(
        HttpRequest.newBuilder(URI.create(site + path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(encode(fields)))
            .build());
  }

  Page send(HttpRequest request) {
    try {
      HttpResponse<String> response =
          client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
      return new Page(response, Jsoup.parse(response.body(), site));
    } catch (IOException e) {
      throw new AssertionError(request.toString(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Fills in a form of a page and sends it. */
  Page submit(Element form, Map<String, String> filled) {
    Map<String, String> fields = fields(form);
    filled.forEach((name, value) -> {
      if (!fields.containsKey(name)) {
        throw new AssertionError("the form has no field " + name + ":\n" + form);
      }
      fields.put(name, value);
    });
    String action = form.attr("action");
    return form.attr("method").equals("post")
        ? post(action, fields)
        : get(action + "?" + encode(fields));
  }

  /** The page of an author who has just signed in. */
  Page signIn(String nickname, String password) {
    Element form = get("/author-login").one("form[data-page=AuthorTask]");
    return submit(form, Map.of("nickname", nickname, "password", password));
  }

  /** The fields of a form as it is sent when nobody touches it. */
  static Map<String, String> fields(Element form) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (Element field : form.select("input, textarea, select")) {
      switch (field.normalName()) {
        case "select" -> fields.put(field.attr("name"), field.select("option").first().val());
        case "textarea" -> fields.put(field.attr("name"), field.wholeText());
        default -> {
          boolean radio = field.attr("type").equals("radio");
          if (!radio || field.hasAttr("checked")) {
            fields.put(field.attr("name"), field.val());
          }
        }
      }
    }
    return fields;
  }

  static String encode(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    client.close();
  }
}
