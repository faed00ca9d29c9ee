package org.terrace.control.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The command that starts a replica, with placeholders: {@code {name}} becomes the replica's name,
 * {@code {address}} the address it may listen at.
 *
 * @param words the program and its arguments
 */
public record CommandTemplate(List<String> words) {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z]+)}");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  /**
   * Copies the words.
   *
   * @throws TerraceException if there is none, or a placeholder is unknown
   */
  public CommandTemplate {
    words = List.copyOf(words);
    if (words.isEmpty()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, "a command is empty: give the program that starts a replica");
    }
    for (String word : words) {
      Matcher matcher = PLACEHOLDER.matcher(word);
      while (matcher.find()) {
        if (!List.of("name", "address").contains(matcher.group(1))) {
          throw new TerraceException(
              ErrorCode.BAD_INPUT,
              "the command has the placeholder "
                  + matcher.group()
                  + "; there are {name} and {address}");
        }
      }
    }
  }

  /** Splits a text at spaces, except inside double quotes. */
  public static CommandTemplate parse(String text) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(text);
    while (matcher.find()) {
      words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
    }
    return new CommandTemplate(words);
  }

  /** The command of one replica. */
  List<String> fill(String name, String address) {
    return words.stream()
        .map(word -> word.replace("{name}", name).replace("{address}", address))
        .toList();
  }
}
