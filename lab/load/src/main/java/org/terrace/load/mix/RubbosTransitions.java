package org.terrace.load.mix;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The reader of the transition files that RUBBoS publishes: tab-separated, 24 rows of states, a row
 * for going back and one for the end of the session. Whatever the header says, a column is the
 * state one leaves and a row the one that is entered; the last column is the mean think time in
 * milliseconds.
 *
 * <p>Some published columns do not sum to 1. As RUBBoS's own walk does, probabilities beyond 1 are
 * cut off in the order of the rows; what is missing to 1 ends the session.
 */
public final class RubbosTransitions {
  /** RUBBoS's states that write to the database. */
  public static final Set<String> WRITES =
      Set.of(
          "RegisterUser",
          "StoreComment",
          "StoreModerateLog",
          "StoreStory",
          "AcceptStory",
          "RejectStory");

  private static final String FIRST_STATE = "StoriesOfTheDay";
  private static final String BACK_ROW = "BackProbability";
  private static final String END_ROW = "EndOfSession";
  private static final long MAXIMUM_BYTES = 1 << 20;

  private RubbosTransitions() {}

  /**
   * Reads one file.
   *
   * @throws TerraceException if the file is not such a table; the message names the row
   */
  public static TransitionTable read(Path file) {
    try {
      if (Files.size(file) > MAXIMUM_BYTES) {
        throw invalid("it has more than " + MAXIMUM_BYTES + " bytes");
      }
      return parse(Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new TerraceException(ErrorCode.BAD_INPUT, file + ": cannot be read: " + e, e);
    } catch (TerraceException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT, file + ": is not a transition file of RUBBoS: " + e.getMessage(), e);
    }
  }

  private static TransitionTable parse(String text) {
    List<String> states = new ArrayList<>();
    List<String[]> rows = new ArrayList<>();
    String @Nullable [] back = null;
    String @Nullable [] end = null;
    for (String line : text.lines().toList()) {
      String[] cells = line.split("\t", -1);
      String name = camelCase(cells[0]);
      if (name.equals(BACK_ROW)) {
        back = cells;
      } else if (name.equals(END_ROW)) {
        end = cells;
      } else if (back == null && (!states.isEmpty() || name.equals(FIRST_STATE))) {
        states.add(name);
        rows.add(cells);
      }
    }
    if (back == null || end == null || states.isEmpty()) {
      throw invalid(
          "rows from '" + FIRST_STATE + "' to 'Back probability' and 'End of Session' are missing");
    }
    return table(states, rows, back, end);
  }

  /** The board's name of a state: {@code AuthorLogin} for {@code Author (login)}. */
  private static String camelCase(String text) {
    StringBuilder name = new StringBuilder();
    for (String word : text.split("[^A-Za-z]+", -1)) {
      if (!word.isEmpty()) {
        name.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
      }
    }
    return name.toString();
  }

  private static TransitionTable table(
      List<String> states, List<String[]> rows, String[] backRow, String[] endRow) {
    int size = states.size();
    double[][] next = new double[size][size];
    double[] back = new double[size];
    double[] end = new double[size];
    for (int from = 0; from < size; from++) {
      double left = 1;
      for (int to = 0; to < size; to++) {
        next[from][to] = Math.min(left, cell(states.get(to), rows.get(to), from + 1));
        left -= next[from][to];
      }
      back[from] = Math.min(left, cell("Back probability", backRow, from + 1));
      left -= back[from];
      cell("End of Session", endRow, from + 1); // what is left ends the session, whatever it says
      end[from] = left;
    }
    Map<String, ThinkTime> think = new HashMap<>();
    for (int state = 0; state < size; state++) {
      double millis = cell(states.get(state), rows.get(state), size + 1);
      if (millis > 0) {
        think.put(
            states.get(state), new ThinkTime.Exponential(Duration.ofMillis(Math.round(millis))));
      }
    }
    return new TransitionTable(states, 0, next, back, end, think);
  }

  private static double cell(String row, String[] cells, int column) {
    String text = column < cells.length ? cells[column].strip() : "";
    try {
      double value = Double.parseDouble(text);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw invalid("row '" + row + "', column " + column + ": '" + text + "' is not a number");
    }
    throw invalid("row '" + row + "', column " + column + ": '" + text + "' is below 0");
  }

  private static TerraceException invalid(String problem) {
    return new TerraceException(ErrorCode.BAD_INPUT, problem + ".");
  }
}
