// The services that are known, each in its folder. Adding one is adding its folder, and its line here if it has a sender.ts.
import alertmanager from './alertmanager/sender.ts'
import azureDevops from './azure-devops/sender.ts'
import bitbucket from './bitbucket/sender.ts'
import circleci from './circleci/sender.ts'
import cloudevents from './cloudevents/sender.ts'
import discord from './discord/sender.ts'
import discourse from './discourse/sender.ts'
import dockerHub from './docker-hub/sender.ts'
import forgejo from './forgejo/sender.ts'
import gitea from './gitea/sender.ts'
import github from './github/sender.ts'
import gitlab from './gitlab/sender.ts'
import gogs from './gogs/sender.ts'
import grafana from './grafana/sender.ts'
import harbor from './harbor/sender.ts'
import jenkins from './jenkins/sender.ts'
import jira from './jira/sender.ts'
import linear from './linear/sender.ts'
import netlify from './netlify/sender.ts'
import newRelic from './new-relic/sender.ts'
import opsgenie from './opsgenie/sender.ts'
import pagerduty from './pagerduty/sender.ts'
import sentry from './sentry/sender.ts'
import shopify from './shopify/sender.ts'
import slack from './slack/sender.ts'
import sns from './sns/sender.ts'
import sonarqube from './sonarqube/sender.ts'
import standard from './standard/sender.ts'
import statuspage from './statuspage/sender.ts'
import stripe from './stripe/sender.ts'
import teamcity from './teamcity/sender.ts'
import trello from './trello/sender.ts'
import uptimeKuma from './uptime-kuma/sender.ts'
import uptimerobot from './uptimerobot/sender.ts'
import woocommerce from './woocommerce/sender.ts'
import zabbix from './zabbix/sender.ts'
import type { Sender } from './sender.ts'

// Those with proofs of their own come first, in the order in which these are listed.
const named = {
  github,
  gitlab,
  gitea,
  forgejo,
  stripe,
  slack,
  standard,
  grafana,
  sentry,
  linear,
  pagerduty,
  jira,
  bitbucket,
  circleci,
  alertmanager,
  'azure-devops': azureDevops,
  cloudevents,
  discord,
  discourse,
  'docker-hub': dockerHub,
  gogs,
  harbor,
  jenkins,
  netlify,
  'new-relic': newRelic,
  opsgenie,
  shopify,
  sns,
  sonarqube,
  statuspage,
  teamcity,
  trello,
  'uptime-kuma': uptimeKuma,
  uptimerobot,
  woocommerce,
  zabbix,
} as const satisfies Readonly<Record<string, Sender>>

/** With the names of their proofs. */
export type Senders = typeof named

/** By the names of their folders. */
export const senders: Readonly<Record<string, Sender>> = named
