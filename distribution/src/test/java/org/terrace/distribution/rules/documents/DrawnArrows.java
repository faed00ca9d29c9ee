package org.terrace.distribution.rules.documents;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;
import org.terrace.distribution.rules.house.Pom;

/**
 * The arrows of the first drawing of a document, each from one word to another: a head ({@code ▶ ◀
 * ▼ ▲}), a shaft of lines that may turn corners, and a word at its other end. Behind a head that
 * looks to the right, words may be several with commas between them. A shaft that meets another one
 * goes on behind it. An arrow whose shaft begins at a frame is of the whole frame: those are judged
 * by {@link DrawnFrames}.
 *
 * <p>They hold for a house if each of them points down and is declared, if nothing that a module
 * uses is drawn above it, and if between modules of one wing the arrows lead from each to all that
 * it declares, if by way of others.
 */
public final class DrawnArrows {
  private static final Pattern WORDS = Pattern.compile("[a-z-]+(?:, [a-z-]+)*");
  private static final Map<Character, int[]> HEADS =
      Map.of(
          '▶', new int[] {1, 0},
          '◀', new int[] {-1, 0},
          '▼', new int[] {0, 1},
          '▲', new int[] {0, -1});

  private final List<String> rows;
  private final Set<Arrow> found = new TreeSet<>();
  private final List<String> breaches = new ArrayList<>();
  private final DrawnFrames frames;

  /** The use of one module by another, as drawn. */
  record Arrow(String from, String to) implements Comparable<Arrow> {
    @Override
    public int compareTo(Arrow other) {
      return toString().compareTo(other.toString());
    }
  }

  private DrawnArrows(List<String> rows) {
    this.rows = rows;
    this.frames = new DrawnFrames(rows);
  }

  public static DrawnArrows of(String document) {
    int begin = document.indexOf("```");
    int end = document.indexOf("```", begin + 3);
    var arrows =
        new DrawnArrows(
            begin < 0 || end < 0 ? List.of() : document.substring(begin + 3, end).lines().toList());
    for (int row = 0; row < arrows.rows.size(); row++) {
      for (int column = 0; column < arrows.rows.get(row).length(); column++) {
        int[] direction = HEADS.get(arrows.at(column, row));
        if (direction != null) {
          arrows.add(column, row, direction);
        }
      }
    }
    return arrows;
  }

  public Set<Arrow> found() {
    return found;
  }

  /** The arrows from frame to frame, each by the word that names it. */
  public Set<Arrow> foundBetweenFrames() {
    return frames.arrows();
  }

  /** The sentences that name arrows that are wrong, point elsewhere than down, or are missing. */
  public List<String> breachesOf(House house) {
    List<String> all = new ArrayList<>(breaches);
    Map<String, Integer> places = rowsOfWords();
    for (Arrow arrow : found) {
      boolean declared =
          house.modules().stream()
              .filter(module -> module.name().equals(arrow.from()))
              .flatMap(module -> module.pom().dependencies().stream())
              .anyMatch(used -> !used.isForTestsOnly() && used.shortName().equals(arrow.to()));
      if (!declared) {
        all.add("the drawing lets " + arrow.from() + " use " + arrow.to() + ": no pom.xml says so");
      }
      if (places.get(arrow.to()) <= places.get(arrow.from())) {
        all.add("the arrow from " + arrow.from() + " to " + arrow.to() + " does not point down");
      }
    }
    for (Module user : house.modules()) {
      for (Pom.Dependency dependency : user.pom().dependencies()) {
        if (!dependency.isForTestsOnly()) {
          house
              .module(dependency.shortName())
              .filter(used -> places.keySet().containsAll(List.of(user.name(), used.name())))
              .ifPresent(used -> addMissing(user, used, places, all));
        }
      }
    }
    all.addAll(frames.breachesOf(house));
    return all;
  }

  private void addMissing(Module user, Module used, Map<String, Integer> places, List<String> all) {
    String both = user.name() + " uses " + used.name();
    if (user.wing().equals(used.wing()) && !leads(found, user.name(), used.name())) {
      all.add(both + ", and no arrow of the drawing leads there");
    } else if (places.get(used.name()) < places.get(user.name())) {
      all.add(both + ", which is drawn above it");
    }
  }

  /** Whether arrows lead from one word to another, if by way of others. */
  static boolean leads(Set<Arrow> arrows, String from, String to) {
    Set<String> reached = new TreeSet<>(Set.of(from));
    boolean isMore = true;
    while (isMore) {
      isMore = false;
      for (Arrow arrow : arrows) {
        isMore |= reached.contains(arrow.from()) && reached.add(arrow.to());
      }
    }
    return reached.contains(to);
  }

  private Map<String, Integer> rowsOfWords() {
    Map<String, Integer> places = new HashMap<>();
    for (int row = 0; row < rows.size(); row++) {
      Matcher words = WORDS.matcher(rows.get(row));
      while (words.find()) {
        for (String word : words.group().split(", ", -1)) {
          places.putIfAbsent(word, row);
        }
      }
    }
    return places;
  }

  private void add(int column, int row, int[] head) {
    int x = column - head[0];
    int y = row - head[1];
    int[] back = {-head[0], -head[1]};
    while (isShaft(at(x, y))) {
      back = turned(at(x, y), back);
      x += back[0];
      y += back[1];
    }
    if ("┬┴├┤┼".indexOf(at(x, y)) >= 0) {
      frames.add(x, y, column + head[0], row + head[1]);
      return;
    }
    boolean level = head[1] == 0;
    String from = wordsAt(x + (back[1] == 0 ? back[0] : 0), y);
    String to = wordsAt(column + (level ? 2 * head[0] : 0), row + head[1]);
    if (from.isEmpty() || to.isEmpty()) {
      breaches.add("line " + (row + 1) + " of the drawing has an arrow that joins no two modules");
      return;
    }
    String user = from.substring(from.lastIndexOf(' ') + 1);
    for (String used : to.split(", ", -1)) {
      found.add(new Arrow(user, used));
    }
  }

  private static boolean isShaft(char drawn) {
    return "─│┌┐└┘".indexOf(drawn) >= 0;
  }

  /** The direction in which a shaft goes on behind one of its characters. */
  private static int[] turned(char drawn, int[] direction) {
    return switch (drawn) {
      case '└', '┐' -> new int[] {direction[1], direction[0]};
      case '┌', '┘' -> new int[] {-direction[1], -direction[0]};
      default -> direction;
    };
  }

  private String wordsAt(int column, int row) {
    if (row >= 0 && row < rows.size()) {
      Matcher words = WORDS.matcher(rows.get(row));
      while (words.find()) {
        if (words.start() <= column && column < words.end()) {
          return words.group();
        }
      }
    }
    return "";
  }

  private char at(int column, int row) {
    return at(rows, column, row);
  }

  static char at(List<String> rows, int column, int row) {
    boolean within =
        row >= 0 && row < rows.size() && column >= 0 && column < rows.get(row).length();
    return within ? rows.get(row).charAt(column) : ' ';
  }
}
