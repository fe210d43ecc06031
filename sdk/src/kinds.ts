/** What models of each kind answer, to declare yours in `Models`. A head that is left out takes its fields along. */

/** The band of a credit score, from the lowest risk to the highest. */
export type RiskBand = 'Exceptional' | 'Low Risk' | 'Moderate Risk' | 'Medium Risk' | 'High Risk' | 'Very High Risk';

export type CreditOutputs = {
  /** 0 to 1000; higher is less risk. */
  readonly score: number;
  readonly risk_band: RiskBand;
  readonly key_factors: readonly string[];
  /** The probability of default within so many days, 0 to 1; one for each horizon of the task. */
  readonly [horizon: `pd_${number}d`]: number;
};

export type FraudOutputs = {
  /** 0 to 1. */
  readonly fraud_score: number;
  readonly risk_factors: readonly string[];
  readonly network_flags: readonly NetworkFlag[];
};

/** A link to a known bad actor, or a suspicious group around the row. */
export type NetworkFlag = {
  readonly kind: 'known_bad_actor' | 'suspicious_cluster';
  /** Steps to the nearest bad actor: 1 to 3. */
  readonly hops: number;
  /** The day since when it is known. */
  readonly since: string;
  readonly path: readonly { readonly entity: string; readonly relation: string; readonly date: string }[];
  readonly text: string;
};

export type LeadScoringOutputs = {
  /** 0 to 1. */
  readonly conversion_probability: number;
  /** 1 to 10; 10 is the highest. */
  readonly ltv_decile?: number;
  /** The least and the greatest of the decile in BRL: `1200.00–3400.00`. */
  readonly ltv_range?: string;
  readonly risk_factors: readonly string[];
};

export type FieldSalesOutputs = {
  /** 0 to 1. */
  readonly propensity_score: number;
  readonly growth_signal?: 'expansion' | 'stable' | 'contraction';
  /** Warm paths through customers there are. */
  readonly network_density: number;
  readonly risk_factors: readonly string[];
};

export type PaidMediaOutputs = {
  /** 0 to 1. */
  readonly lead_score: number;
  /** BRL. */
  readonly ltv_forecast?: number;
  /** `high value, warm`. */
  readonly segment?: string;
  /** 0 to 1. */
  readonly churn_risk?: number;
};
