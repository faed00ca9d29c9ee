/**
 * Spring Session's sessions in a replicated map: a visitor whose server dies goes on at another,
 * signed in and with everything kept that was acknowledged.
 */
package org.terrace.collections.spring.session;
