package org.terrace.load.page;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A form as it is being read off a page, and its filling. Confined to one thread; it lives only
 * while the page is read.
 */
final class FormDraft {
  /** Fields beyond this many are ignored; the board's forms have at most six. */
  static final int FIELD_LIMIT = 64;

  private final String state;
  private final String action;
  private final boolean post;
  private final List<Field> fields = new ArrayList<>();

  FormDraft(String state, String action, boolean post) {
    this.state = state;
    this.action = action;
    this.post = post;
  }

  /** One field; of those with options, each option seen so far was equally likely to be kept. */
  private static final class Field {
    private final String name;
    private final boolean text;
    private final boolean suggested;
    private String value;
    private int options;

    Field(String name, boolean text, boolean suggested, String value) {
      this.name = name;
      this.text = text;
      this.suggested = suggested;
      this.value = value;
    }
  }

  void input(Tag tag, RandomGenerator random) {
    String name = tag.attribute("name");
    if (name == null || name.isEmpty() || tag.has("disabled")) {
      return;
    }
    String type = tag.attribute("type");
    String value = tag.attribute("value");
    switch (type == null ? "text" : type.toLowerCase(Locale.ROOT)) {
      case "hidden", "date" -> {
        if (value != null && !value.isEmpty()) {
          add(new Field(name, false, false, value));
        }
      }
      case "radio" -> option(name, value == null ? "on" : value, random);
      case "checkbox" -> {
        if (tag.has("checked")) {
          add(new Field(name, false, false, value == null ? "on" : value));
        }
      }
      case "submit", "button", "image", "reset", "file" -> {}
      default -> add(new Field(name, true, tag.has("list"), ""));
    }
  }

  void textArea(Tag tag) {
    String name = tag.attribute("name");
    if (name != null && !name.isEmpty() && !tag.has("disabled")) {
      add(new Field(name, true, false, ""));
    }
  }

  /** Takes one more option of a select or a group of radios: any is as likely as the others. */
  void option(String name, String value, RandomGenerator random) {
    Field field = null;
    for (Field known : fields) {
      if (!known.text && known.options > 0 && known.name.equals(name)) {
        field = known;
      }
    }
    if (field == null) {
      field = new Field(name, false, false, value);
      add(field);
    }
    field.options++;
    if (random.nextInt(field.options) == 0) {
      field.value = value;
    }
  }

  private void add(Field field) {
    if (fields.size() < FIELD_LIMIT) {
      fields.add(field);
    }
  }

  /** The form as a link, with every text field filled. */
  Link fill(FormFiller filler, @Nullable String suggestion) {
    StringBuilder encoded = new StringBuilder();
    for (Field field : fields) {
      String value =
          field.text
              ? filler.fill(state, field.name, field.suggested ? suggestion : null)
              : field.value;
      if (value != null) {
        encoded.append(encoded.isEmpty() ? "" : "&");
        encoded.append(encode(field.name)).append('=').append(encode(value));
      }
    }
    if (post) {
      return new Link(action, encoded.toString());
    }
    int query = action.indexOf('?');
    String path = query < 0 ? action : action.substring(0, query);
    return Link.get(encoded.isEmpty() ? path : path + "?" + encoded);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
