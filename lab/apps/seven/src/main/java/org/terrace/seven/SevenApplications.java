package org.terrace.seven;

import java.util.List;
import java.util.stream.Collectors;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.seven.application.Application;
import org.terrace.seven.blackjack.BlackjackApplication;
import org.terrace.seven.ejbay.EjbayApplication;
import org.terrace.seven.ftex.FtexApplication;
import org.terrace.seven.mafia.MafiaApplication;
import org.terrace.seven.parknpark.ParkNParkApplication;
import org.terrace.seven.suduelku.SuDuelKuApplication;
import org.terrace.seven.ticketcenter.TicketCenterApplication;

/** The seven applications, in the order of the published Table 1. */
public final class SevenApplications {
  private static final List<Application<?>> ALL =
      List.of(
          new SuDuelKuApplication(),
          new BlackjackApplication(),
          new FtexApplication(),
          new EjbayApplication(),
          new MafiaApplication(),
          new ParkNParkApplication(),
          new TicketCenterApplication());

  private SevenApplications() {}

  /** All of them. */
  public static List<Application<?>> all() {
    return ALL;
  }

  /** The application of the given name. */
  public static Application<?> named(String name) {
    for (Application<?> application : ALL) {
      if (application.name().equals(name)) {
        return application;
      }
    }
    throw new TerraceException(
        ErrorCode.BAD_INPUT,
        "There is no application '%s'; these are known: %s."
            .formatted(name, ALL.stream().map(Application::name).collect(Collectors.joining(" "))));
  }
}
