package org.terrace.load.page;

import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A scanner of a page as its bytes arrive, which keeps only what the user's next step needs: which
 * state the page says it is ({@code <meta name="page" content="STATE">}), and one way to the wanted
 * state, chosen uniformly from all links and forms marked {@code data-page="STATE"}. The page
 * itself is never held: each candidate replaces the kept one with probability one over the
 * candidates so far.
 *
 * <p>Understands comments, quoted attributes, and scripts and styles as raw text. Confined to one
 * thread; used again for page after page.
 */
public final class PageScanner {
  private static final byte[] NO_STATE = {};
  private static final byte[] PAGE = "page".getBytes(StandardCharsets.US_ASCII);
  private static final int STATE_NAME_LIMIT = 100;

  private final Tag tag = new Tag();
  private Mode mode = Mode.TEXT;
  private byte quote;
  private int endMatched;
  private String rawEnd = "";

  private String wanted = "";
  private byte[] wantedBytes = NO_STATE;
  private RandomGenerator random = RandomGenerator.getDefault();
  private @Nullable String pageState;
  private int candidates;
  private @Nullable String chosenAddress;
  private @Nullable FormDraft chosenForm;
  private @Nullable FormDraft openForm;
  private @Nullable String openSelect;
  private boolean inSuggestions;
  private int suggestions;
  private @Nullable String suggestion;

  private enum Mode {
    TEXT,
    TAG_START,
    TAG,
    COMMENT,
    RAW
  }

  /** Begins a page, from which a way to the given state will be kept; null wants none. */
  public void begin(@Nullable String wantedState, RandomGenerator generator) {
    mode = Mode.TEXT;
    wanted = wantedState == null ? "" : wantedState;
    wantedBytes = wanted.getBytes(StandardCharsets.UTF_8);
    random = generator;
    pageState = null;
    candidates = 0;
    chosenAddress = null;
    chosenForm = null;
    openForm = null;
    openSelect = null;
    inSuggestions = false;
    suggestions = 0;
    suggestion = null;
  }

  /** The state that the page says it is; null when it says none. */
  public @Nullable String pageState() {
    return pageState;
  }

  /** The links and forms that lead to the wanted state. */
  int candidates() {
    return candidates;
  }

  /** The chosen way to the wanted state, with its form filled; null when the page offers none. */
  public @Nullable Link link(FormFiller filler) {
    if (chosenForm != null) {
      return chosenForm.fill(filler, suggestion);
    }
    return chosenAddress == null ? null : Link.get(chosenAddress);
  }

  /** Takes the next bytes of the page. */
  void feed(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      byte value = bytes[i];
      switch (mode) {
        case TEXT -> {
          if (value == '<') {
            mode = Mode.TAG_START;
          }
        }
        case TAG_START -> startTag(value);
        case TAG -> continueTag(value);
        case COMMENT -> matchEnd(value, "-->");
        case RAW -> matchEnd(value, rawEnd);
      }
    }
  }

  private void startTag(byte value) {
    boolean letter = (value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z');
    if (letter || value == '/' || value == '!') {
      tag.clear();
      tag.append(value);
      quote = 0;
      mode = Mode.TAG;
    } else if (value != '<') {
      mode = Mode.TEXT;
    }
  }

  private void continueTag(byte value) {
    if (quote != 0) {
      quote = value == quote ? 0 : quote;
      tag.append(value);
    } else if (value == '>') {
      mode = Mode.TEXT;
      handleTag();
    } else {
      tag.append(value);
      if (value == '"' || value == '\'') {
        quote = value;
      } else if (tag.length() == 3 && tag.is("!--")) {
        mode = Mode.COMMENT;
        endMatched = 0;
      }
    }
  }

  /**
   * Looks for the end of a comment or of raw text, whose first character does not occur again
   * except for the hyphens of a comment, of which more than two may stand in a row.
   */
  private void matchEnd(byte value, String end) {
    int lower = value >= 'A' && value <= 'Z' ? value + 'a' - 'A' : value;
    if (lower == end.charAt(endMatched)) {
      endMatched++;
      if (endMatched == end.length()) {
        endMatched = 0;
        mode = Mode.TEXT;
      }
    } else if (!(mode == Mode.COMMENT && value == '-' && endMatched == 2)) {
      endMatched = lower == end.charAt(0) ? 1 : 0;
    }
  }

  private void handleTag() {
    if (tag.is("a")) {
      handleLink();
    } else if (tag.is("meta")) {
      if (pageState == null && tag.attributeIs("name", PAGE)) {
        String content = tag.attribute("content");
        pageState = content != null && content.length() <= STATE_NAME_LIMIT ? content : "";
      }
    } else if (tag.is("form")) {
      handleForm();
    } else if (tag.is("/form")) {
      openForm = null;
    } else if (tag.is("script") || tag.is("style")) {
      mode = Mode.RAW;
      endMatched = 0;
      rawEnd = tag.is("script") ? "</script>" : "</style>";
    } else if (wantedBytes.length > 0) {
      handleField();
    }
  }

  private void handleLink() {
    if (wantedBytes.length > 0 && tag.attributeIs("data-page", wantedBytes)) {
      String href = tag.attribute("href");
      String address = href == null ? null : Link.local(href);
      if (address != null && chosen()) {
        chosenAddress = address;
        chosenForm = null;
      }
    }
  }

  private void handleForm() {
    openForm = null;
    if (wantedBytes.length > 0 && tag.attributeIs("data-page", wantedBytes)) {
      String action = tag.attribute("action");
      String address = action == null ? null : Link.local(action);
      if (address != null && chosen()) {
        String method = tag.attribute("method");
        openForm = new FormDraft(wanted, address, "post".equalsIgnoreCase(method));
        chosenForm = openForm;
      }
    }
  }

  private boolean chosen() {
    candidates++;
    return random.nextInt(candidates) == 0;
  }

  private void handleField() {
    FormDraft form = openForm;
    if (tag.is("datalist")) {
      inSuggestions = true;
    } else if (tag.is("/datalist")) {
      inSuggestions = false;
    } else if (tag.is("option")) {
      handleOption(form);
    } else if (tag.is("/select")) {
      openSelect = null;
    } else if (form != null) {
      if (tag.is("input")) {
        form.input(tag, random);
      } else if (tag.is("textarea")) {
        form.textArea(tag);
      } else if (tag.is("select")) {
        openSelect = tag.attribute("name");
      }
    }
  }

  private void handleOption(@Nullable FormDraft form) {
    String value = tag.attribute("value");
    if (value == null || tag.has("disabled")) {
      return;
    }
    if (inSuggestions) {
      suggestions++;
      if (random.nextInt(suggestions) == 0) {
        suggestion = value;
      }
    } else if (form != null && openSelect != null && !value.isEmpty()) {
      form.option(openSelect, value, random);
    }
  }
}
