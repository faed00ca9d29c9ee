package org.terrace.distribution.rules.documents;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;
import org.terrace.distribution.rules.house.Pom;

/**
 * The frames of a drawing and the arrows between them. A frame is a rectangle of lines that bears
 * the first word in it; it may share its upper edge with a box that stands on it, which is none.
 *
 * <p>They hold for a house if every module of a wing that has a frame is drawn in that frame, if
 * each arrow stands for a module of the one frame that uses one of the other, and if arrows lead
 * from each frame to all in which its modules use one, if by way of others. What tests alone use
 * counts for nothing.
 */
final class DrawnFrames {
  private static final Pattern WORD = Pattern.compile("[a-z]+(?:-[a-z]+)*");
  private static final String LEVEL = "─┬┴┼";
  private static final String UPRIGHT = "│├┤┼";

  private final List<String> rows;
  private final List<Frame> frames = new ArrayList<>();
  private final Map<String, Frame> places = new HashMap<>();
  private final Set<DrawnArrows.Arrow> arrows = new TreeSet<>();
  private final List<String> breaches = new ArrayList<>();

  /** The place of a frame's edges, by column and row, and its name. */
  private record Frame(String name, int left, int top, int right, int bottom) {
    private boolean encloses(int column, int row) {
      return left < column && column < right && top < row && row < bottom;
    }

    private boolean hasOnItsEdge(int column, int row) {
      boolean isLevel = (row == top || row == bottom) && left <= column && column <= right;
      boolean isUpright = (column == left || column == right) && top <= row && row <= bottom;
      return isLevel || isUpright;
    }
  }

  DrawnFrames(List<String> rows) {
    this.rows = rows;
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < rows.get(row).length(); column++) {
        if (at(column, row) == '└') {
          frameAbove(column, row).ifPresent(frames::add);
        }
      }
    }
    for (int row = 0; row < rows.size(); row++) {
      Matcher words = WORD.matcher(rows.get(row));
      while (words.find()) {
        int at = row;
        frameAround(words.start(), at).ifPresent(frame -> places.putIfAbsent(words.group(), frame));
      }
    }
  }

  Set<DrawnArrows.Arrow> arrows() {
    return arrows;
  }

  /** Adds an arrow from the edge of a frame to whatever its head touches. */
  void add(int tailColumn, int tailRow, int headColumn, int headRow) {
    Optional<Frame> from = frameWithEdge(tailColumn, tailRow);
    Optional<Frame> to = frameWithEdge(headColumn, headRow);
    if (from.isEmpty() || to.isEmpty()) {
      breaches.add(
          "line " + (headRow + 1) + " of the drawing has an arrow at an edge that joins no frames");
      return;
    }
    arrows.add(new DrawnArrows.Arrow(from.get().name(), to.get().name()));
  }

  /** The sentences that name modules outside their frame, and arrows that are wrong or missing. */
  List<String> breachesOf(House house) {
    List<String> all = new ArrayList<>(breaches);
    Map<DrawnArrows.Arrow, String> uses = new HashMap<>();
    for (Module user : house.modules()) {
      Frame own = places.get(user.name());
      boolean hasFrame = frames.stream().anyMatch(frame -> frame.name().equals(user.wing()));
      if (own != null && hasFrame && !own.name().equals(user.wing())) {
        all.add(user.folder() + " is drawn in the frame of " + own.name());
      }
      for (Pom.Dependency dependency : user.pom().dependencies()) {
        Frame other = places.get(dependency.shortName());
        if (!dependency.isForTestsOnly() && own != null && other != null && !own.equals(other)) {
          uses.putIfAbsent(
              new DrawnArrows.Arrow(own.name(), other.name()),
              user.name() + " uses " + dependency.shortName());
        }
      }
    }
    for (DrawnArrows.Arrow arrow : arrows) {
      if (!uses.containsKey(arrow)) {
        all.add(
            "an arrow leads from the frame of %s to that of %s: no module there uses one"
                .formatted(arrow.from(), arrow.to()));
      }
    }
    for (DrawnArrows.Arrow use : new TreeSet<>(uses.keySet())) {
      if (!DrawnArrows.leads(arrows, use.from(), use.to())) {
        all.add(
            "%s, and no arrow leads from the frame of %s to that of %s"
                .formatted(uses.get(use), use.from(), use.to()));
      }
    }
    return all;
  }

  /** The frame whose lower left corner is there, if that is one. */
  private Optional<Frame> frameAbove(int left, int bottom) {
    int right = left + 1;
    while (isOf(LEVEL, right, bottom)) {
      right++;
    }
    int top = bottom - 1;
    while (at(left, top) == '│') {
      top--;
    }
    boolean isFrame = at(right, bottom) == '┘' && isOf("┌├", left, top) && isOf("┐┤", right, top);
    for (int column = left + 1; column < right; column++) {
      isFrame &= isOf(LEVEL, column, top);
    }
    for (int row = top + 1; row < bottom; row++) {
      isFrame &= isOf(UPRIGHT, right, row);
    }
    for (int row = top + 1; isFrame && row < bottom; row++) {
      Matcher word = WORD.matcher(rows.get(row)).region(left, right);
      if (word.find()) {
        return Optional.of(new Frame(word.group(), left, top, right, bottom));
      }
    }
    return Optional.empty();
  }

  private Optional<Frame> frameAround(int column, int row) {
    return frames.stream().filter(frame -> frame.encloses(column, row)).findFirst();
  }

  private Optional<Frame> frameWithEdge(int column, int row) {
    return frames.stream().filter(frame -> frame.hasOnItsEdge(column, row)).findFirst();
  }

  private boolean isOf(String characters, int column, int row) {
    return characters.indexOf(at(column, row)) >= 0;
  }

  private char at(int column, int row) {
    return DrawnArrows.at(rows, column, row);
  }
}
