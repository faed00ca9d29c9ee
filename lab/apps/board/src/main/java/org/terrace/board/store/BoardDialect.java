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
 * The SQL of a database system, where the two that the board knows have no words in common. Pages
 * show the same rows over both.
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
  MARIADB {
    @Override
    String seconds(String moment) {
      return "timestampdiff(SECOND, '1970-01-01', " + moment + ")";
    }

    @Override
    String lowerNickname() {
      return "lowered";
    }

    @Override
    String hasWords(String column) {
      return "MATCH (" + column + ") AGAINST (? IN BOOLEAN MODE)";
    }

    @Override
    String words(String text) {
      List<String> wanted = new ArrayList<>();
      Matcher word = WORD.matcher(text);
      while (word.find()) {
        wanted.add("+" + word.group());
      }
      return String.join(" ", wanted);
    }

    @Override
    Object startOf(LocalDate day) {
      return day.atStartOfDay();
    }

    @Override
    String startOfDay(String moment) {
      return "CAST(CAST(" + moment + " AS date) AS datetime)";
    }

    @Override
    String day(String moment) {
      return "CAST(" + moment + " AS date)";
    }

    @Override
    String moment(String literal) {
      return "CAST('" + literal + "' AS datetime)";
    }

    @Override
    Properties driverProperties(String name, int connectSeconds, int answerSeconds) {
      Properties properties = new Properties();
      properties.setProperty("connectTimeout", String.valueOf(connectSeconds * MILLIS));
      properties.setProperty("socketTimeout", String.valueOf(answerSeconds * MILLIS));
      return properties;
    }
  };

  private static final int MILLIS = 1_000;
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_]+");
  private static final Pattern URL = Pattern.compile("jdbc:(?:terrace:)?mariadb:.*");

  /** The dialect of the database of a JDBC URL. */
  public static BoardDialect of(String url) {
    return URL.matcher(url).matches() ? MARIADB : POSTGRESQL;
  }

  /** The dialect of a system that calls itself so. */
  static BoardDialect ofProduct(String name) {
    return name.equals("MariaDB") ? MARIADB : POSTGRESQL;
  }

  /** A moment as whole seconds since the Unix epoch. */
  abstract String seconds(String moment);

  /** A user's nickname in lower case, by which an index finds it. */
  abstract String lowerNickname();

  /** The condition that a column has all words of a parameter, which {@link #words} makes. */
  abstract String hasWords(String column);

  /** The value for the parameter of {@link #hasWords}. */
  abstract String words(String text);

  /** The value for a parameter that is the beginning of a day in UTC. */
  abstract Object startOf(LocalDate day);

  /** The beginning of a moment's day in UTC. */
  abstract String startOfDay(String moment);

  /** The day of a moment in UTC. */
  abstract String day(String moment);

  /** A moment in UTC, such as {@code 2026-06-30 12:00:00}. */
  abstract String moment(String literal);

  /** The options of the driver, by its names. */
  abstract Properties driverProperties(String name, int connectSeconds, int answerSeconds);

  private static OffsetDateTime startInUtc(LocalDate day) {
    return day.atStartOfDay().atOffset(ZoneOffset.UTC);
  }
}
