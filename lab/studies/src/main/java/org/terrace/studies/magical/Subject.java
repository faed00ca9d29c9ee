package org.terrace.studies.magical;

import java.util.Arrays;
import java.util.List;

/** The seven applications in the order of the source, with what it published of each. */
enum Subject {
  SU_DUEL_KU("su-duel-ku", "Su-Duel-Ku", Subject.EJB, 160, 2.70, 20.95, "5-1,900"),
  BLACKJACK("blackjack", "Blackjack", Subject.EJB, 350, 1.68, 101.78, "4-3,400"),
  FTEX("ftex", "FTEX", Subject.EJB, 28, 1.50, 54.37, "32-11,600"),
  EJBAY("ejbay", "eJBay", Subject.EJB, 215, 0.33, 99.51, "3-190,000"),
  MAFIA("mafia", "Mafia", Subject.EJB, 67, 1.85, 21.24, "8-1,300"),
  PARK_N_PARK("park-n-park", "Park'n Park", Subject.CORBA, 1_250, 0.86, 48.91, "1.5-300"),
  TICKET_CENTER("ticket-center", "Ticket Center", Subject.CORBA, 24, 0.43, 45.28, "10-125,000");

  /** The middleware that stands for what five of the teams used. */
  static final String EJB = "ejbd";

  /** The middleware that stands for what two of the teams used. */
  static final String CORBA = "jacorb";

  private final String application;
  private final String title;
  private final String middleware;
  private final double publishedRate;
  private final double publishedOutlierPercent;
  private final double publishedZ;
  private final String publishedRangeMillis;

  Subject(
      String application,
      String title,
      String middleware,
      double publishedRate,
      double publishedOutlierPercent,
      double publishedZ,
      String publishedRangeMillis) {
    this.application = application;
    this.title = title;
    this.middleware = middleware;
    this.publishedRate = publishedRate;
    this.publishedOutlierPercent = publishedOutlierPercent;
    this.publishedZ = publishedZ;
    this.publishedRangeMillis = publishedRangeMillis;
  }

  /** The names of all. */
  static List<String> applications() {
    return Arrays.stream(values()).map(Subject::application).toList();
  }

  static Subject of(String application) {
    return Arrays.stream(values())
        .filter(subject -> subject.application.equals(application))
        .findFirst()
        .orElseThrow();
  }

  /** Its name as a program. */
  String application() {
    return application;
  }

  /** Its name for people. */
  String title() {
    return title;
  }

  /** The middleware of its team. */
  String middleware() {
    return middleware;
  }

  /** The replication style of its team. */
  String style() {
    return this == TICKET_CENTER ? "active" : "warm-passive";
  }

  /** Table 2: the largest request rate, in requests a second. */
  double publishedRate() {
    return publishedRate;
  }

  /** Table 2: the outliers, in percent of the calls. */
  double publishedOutlierPercent() {
    return publishedOutlierPercent;
  }

  /** Table 2: the largest z-score. */
  double publishedZ() {
    return publishedZ;
  }

  /** Table 2: the least and largest latency in milliseconds. */
  String publishedRangeMillis() {
    return publishedRangeMillis;
  }
}
