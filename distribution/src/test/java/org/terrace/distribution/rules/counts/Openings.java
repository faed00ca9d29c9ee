package org.terrace.distribution.rules.counts;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;

/**
 * The first words of docstrings that define nothing. In those of public members they are pronouns
 * ("It was done."), words for nobody and nothing, and circumstances: a preposition, "As" or "If"
 * before the thing was named. In all others they are the oddest alone: "Has it done", "So many",
 * "As above", "One of which". "This" and "These" are none before a noun: "These options with
 * another limit".
 */
public final class Openings {
  private static final Pattern PUBLIC =
      Pattern.compile(
          """
          (It|Its|They|Their|Them|He|His|She|Her|We|Our|You|Your|I|My|Some|Those|Both|Neither|Nor|\
          Somebody|Someone|Something|Anybody|Anyone|Nobody|Nothing|None|Everybody|Everyone|There|\
          At|As|Between|By|From|If|In|Not|On|Over|So|Still|With|Without|One\\s+of|\
          (This|These)\\s+(and|are|is|of|or|that|was|were|which))\\b.*\
          """,
          Pattern.DOTALL);

  private static final Pattern ANYWHERE =
      Pattern.compile(
          "(Has|So\\s+(many|much|often|long|few)|As\\s+above|One\\s+of\\s+which)\\b.*",
          Pattern.DOTALL);

  private Openings() {}

  static boolean defineNothing(String docstring, boolean isPublic) {
    return ANYWHERE.matcher(docstring).matches()
        || (isPublic && PUBLIC.matcher(docstring).matches());
  }

  /** Whether a documented place can be seen from other packages: it, and all it stands in. */
  static boolean isPublic(TreePath documented) {
    for (TreePath place = documented; place != null; place = place.getParentPath()) {
      Optional<Set<Modifier>> modifiers = modifiersOf(place.getLeaf());
      if (modifiers.isPresent()
          && !modifiers.get().contains(Modifier.PUBLIC)
          && !modifiers.get().contains(Modifier.PROTECTED)
          && !isOfInterface(place, modifiers.get())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOfInterface(TreePath member, Set<Modifier> modifiers) {
    return !modifiers.contains(Modifier.PRIVATE)
        && member.getParentPath().getLeaf() instanceof ClassTree owner
        && (owner.getKind() == Tree.Kind.INTERFACE || owner.getKind() == Tree.Kind.ANNOTATION_TYPE);
  }

  private static Optional<Set<Modifier>> modifiersOf(Tree tree) {
    return switch (tree) {
      case ClassTree type -> Optional.of(type.getModifiers().getFlags());
      case MethodTree method -> Optional.of(method.getModifiers().getFlags());
      case VariableTree variable -> Optional.of(variable.getModifiers().getFlags());
      default -> Optional.empty();
    };
  }
}
