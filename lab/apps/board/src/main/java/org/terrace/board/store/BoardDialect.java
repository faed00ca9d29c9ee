package org.terrace.board.store;

import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The SQL of a database system, where those that the board knows have no words in common. Pages
 * show the same rows over all. What a constant does not say is MariaDB's.
 */
public enum BoardDialect {
  /** PostgreSQL, whose moments have a time zone. */
  POSTGRESQL {
    @Override
    String seconds(String moment) {
      return "extract(epoch FROM " + moment + ")::bigint";
    }

    @Override
    String lowerNickname() {
      return "lower(nickname)";
    }

    @Override
    String hasWords(String column) {
      return "to_tsvector('simple', %s) @@ plainto_tsquery('simple', ?)".formatted(column);
    }

    @Override
    String words(String text) {
      return text;
    }

    @Override
    Object startOf(LocalDate day) {
      return startInUtc(day);
    }

    @Override
    String startOfDay(String moment) {
      return "date_trunc('day', " + moment + ", 'UTC')";
    }

    @Override
    String day(String moment) {
      return "(" + moment + " AT TIME ZONE 'UTC')::date";
    }

    @Override
    String moment(String literal) {
      return "timestamptz '" + literal + "+00'";
    }

    @Override
    Properties driverProperties(String name, int connectSeconds, int answerSeconds) {
      Properties properties = new Properties();
      properties.setProperty("ApplicationName", name);
      properties.setProperty("connectTimeout", String.valueOf(connectSeconds));
      properties.setProperty("socketTimeout", String.valueOf(answerSeconds));
      properties.setProperty("assumeMinServerVersion", "18");
      properties.setProperty("sslmode", "disable");
      properties.setProperty("gssEncMode", "disable");
      return properties;
    }
  },

  /**
   * MariaDB, whose moments are days and times in UTC. Its server is told to index words of any
   * length, and those that are on no list of words to leave out.
   */
  MARIADB,

  /**
   * MariaDB's SQL nodes before partitioned data nodes: the same, without what spans partitions.
   * There is no index of words, as in NDB, and nicknames are compared without regard to capitals
   * instead of by a column that is made of them.
   */
  NDB_LIKE {
    @Override
    String lowerNickname() {
      return "nickname";
    }

    @Override
    String hasWords(String column) {
      return "regexp_instr(" + column + ", ?) > 0";
    }

    @Override
    String words(String text) {
      StringBuilder pattern = new StringBuilder("^");
      Matcher word = WORD.matcher(text);
      while (word.find()) {
        pattern.append("(?=.*[[:<:]]").append(word.group()).append("[[:>:]])");
      }
      // No text has the words of a question that has none.
      return pattern.length() == 1 ? "$^." : pattern.toString();
    }
  };

  private static final int MILLIS = 1_000;
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_]+");
  private static final Pattern URL = Pattern.compile("jdbc:(?:terrace:)?mariadb:.*");
  private static final String SQL_NODES = "jdbc:mariadb:loadbalance:";

  /** The dialect of the database of a JDBC URL; servers that share a load are SQL nodes. */
  public static BoardDialect of(String url) {
    if (url.startsWith(SQL_NODES)) {
      return NDB_LIKE;
    }
    return URL.matcher(url).matches() ? MARIADB : POSTGRESQL;
  }

  /** The dialect of a system that calls itself so. */
  static BoardDialect ofProduct(String name) {
    return name.equals("MariaDB") ? MARIADB : POSTGRESQL;
  }

  /** A moment as whole seconds since the Unix epoch. */
  String seconds(String moment) {
    return "timestampdiff(SECOND, '1970-01-01', " + moment + ")";
  }

  /** A user's nickname in lower case, by which an index finds it. */
  String lowerNickname() {
    return "lowered";
  }

  /** The condition that a column has all words of a parameter, which {@link #words} makes. */
  String hasWords(String column) {
    return "MATCH (" + column + ") AGAINST (? IN BOOLEAN MODE)";
  }

  /** The value for the parameter of {@link #hasWords}. */
  String words(String text) {
    List<String> wanted = new ArrayList<>();
    Matcher word = WORD.matcher(text);
    while (word.find()) {
      wanted.add("+" + word.group());
    }
    return String.join(" ", wanted);
  }

  /** The value for a parameter that is the beginning of a day in UTC. */
  Object startOf(LocalDate day) {
    return day.atStartOfDay();
  }

  /** The beginning of a moment's day in UTC. */
  String startOfDay(String moment) {
    return "CAST(CAST(" + moment + " AS date) AS datetime)";
  }

  /** The day of a moment in UTC. */
  String day(String moment) {
    return "CAST(" + moment + " AS date)";
  }

  /** A moment in UTC, such as {@code 2026-06-30 12:00:00}. */
  String moment(String literal) {
    return "CAST('" + literal + "' AS datetime)";
  }

  /** The options of the driver, by its names. */
  Properties driverProperties(String name, int connectSeconds, int answerSeconds) {
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", String.valueOf(connectSeconds * MILLIS));
    properties.setProperty("socketTimeout", String.valueOf(answerSeconds * MILLIS));
    return properties;
  }

  private static OffsetDateTime startInUtc(LocalDate day) {
    return day.atStartOfDay().atOffset(ZoneOffset.UTC);
  }
}
