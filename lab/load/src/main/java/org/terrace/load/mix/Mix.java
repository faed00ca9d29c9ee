package org.terrace.load.mix;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The mix of behaviours: the transition table of ordinary sessions, that of authors' sessions, and
 * how many sessions are authors'. Immutable.
 *
 * @param name its name
 * @param writes the states that change data
 * @param user the table of ordinary sessions
 * @param author the table of authors' sessions over the same states; null when there are none
 * @param authorShare the probability that a session is an author's, 0 to 1
 */
public record Mix(
    String name,
    Set<String> writes,
    TransitionTable user,
    @Nullable TransitionTable author,
    double authorShare) {

  /** The mix in which nobody writes. */
  public static final String BROWSE_ONLY = "browse-only";

  /** The mix in which one page in eight writes. */
  public static final String READ_WRITE = "read-write";

  /** The share of authors' sessions in RUBBoS. */
  public static final double RUBBOS_AUTHOR_SHARE = 0.1;

  /** Checks the share and that both tables have the same states. */
  public Mix {
    writes = Set.copyOf(writes);
    if (!(authorShare >= 0 && authorShare <= 1) || (author == null && authorShare > 0)) {
      throw MixReader.invalid("authorShare", authorShare, "0 to 1, and 0 without an author table");
    }
    if (author != null && !author.states().equals(user.states())) {
      throw MixReader.invalid("author", author.states(), "the states of the user table");
    }
  }

  /**
   * Reads a mix.
   *
   * @param name {@value #BROWSE_ONLY}, {@value #READ_WRITE}, the path of a YAML file of the same
   *     format as those, or {@code rubbos:USER.txt} or {@code rubbos:USER.txt,AUTHOR.txt} with the
   *     paths of RUBBoS's own files
   * @throws org.terrace.core.TerraceException if there is no such mix, or it is wrong
   */
  public static Mix read(String name) {
    return MixReader.read(name);
  }

  /** A mix of RUBBoS's own files. */
  public static Mix rubbos(Path userFile, @Nullable Path authorFile) {
    return new Mix(
        "rubbos",
        RubbosTransitions.WRITES,
        RubbosTransitions.read(userFile),
        authorFile == null ? null : RubbosTransitions.read(authorFile),
        authorFile == null ? 0 : RUBBOS_AUTHOR_SHARE);
  }

  /** The names of the states, which states are indexes into. */
  public List<String> states() {
    return user.states();
  }
}
